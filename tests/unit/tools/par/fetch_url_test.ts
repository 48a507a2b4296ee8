import { assertEquals } from "@std/assert";

import type { WebAnswer, WebRequest } from "../../../../schemas/context.ts";
import fetchUrl from "../../../../tools/par/fetch_url.ts";
import { workspace } from "../../../support/run_tool.ts";

const URL = "https://example.com/";

/** A server that answers all requests with these bytes. */
function server(body: string | Uint8Array, answer: Partial<WebAnswer> = {}) {
  const asked: WebRequest[] = [];
  return {
    asked,
    request(request: WebRequest): Promise<WebAnswer> {
      asked.push(request);
      const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
      const usual = { status: 200, headers: {}, truncated: false, redirects: [] };
      return Promise.resolve({ url: request.url, body: bytes, ...usual, ...answer });
    },
  };
}

Deno.test("fetch_url gives the text of an answer, whatever its status", async () => {
  using ws = workspace();
  const web = server("gone", { status: 404, url: `${URL}moved` });
  const { result, text } = await ws.run(fetchUrl, { url: URL }, { web });
  assertEquals(result, {
    url: `${URL}moved`,
    status: 404,
    content: "gone",
    content_length: 4,
    truncated: false,
  });
  assertEquals(JSON.parse(text), result);
  assertEquals(web.asked.map(({ url, maxBytes }) => [url, maxBytes]), [[URL, 10 * 1024 * 1024]]);
});

Deno.test("fetch_url cuts at characters, within the bounds of the document", async () => {
  using ws = workspace();
  const web = server("é".repeat(600_000));
  const lengthOf = async (max_length?: number) => {
    const { result, warnings } = await ws.run(fetchUrl, { url: URL, ...(max_length && { max_length }) }, {
      web,
    });
    return [result.content_length, result.truncated, warnings];
  };
  assertEquals(await lengthOf(), [50_000, true, []]);
  assertEquals(await lengthOf(7), [100, true, ["max_length 7 is too small, 100 was used"]]);
  assertEquals(await lengthOf(900_000), [500_000, true, ["max_length 900000 is too large, 500000 was used"]]);
  const faces = await ws.run(fetchUrl, { url: URL, max_length: 101 }, { web: server("😀".repeat(100)) });
  assertEquals([faces.result.content_length, faces.result.truncated], [100, true]);
  assertEquals(faces.result.content.isWellFormed(), true);
});

Deno.test("fetch_url reads the character set that the answer names", async () => {
  using ws = workspace();
  const content = async (body: Uint8Array, type: string) => {
    const web = server(body, { headers: { "content-type": type } });
    return (await ws.run(fetchUrl, { url: URL }, { web })).result.content;
  };
  assertEquals(await content(Uint8Array.of(0xe9), 'text/html; charset="iso-8859-1"'), "é");
  assertEquals(await content(new TextEncoder().encode("é"), "text/html; charset=nonsense"), "é");
});

Deno.test("fetch_url asks for nothing without a URL", async () => {
  using ws = workspace();
  const web = server("");
  assertEquals((await ws.run(fetchUrl, { url: " " }, { web })).error?.code, "invalid_input");
  assertEquals(web.asked, []);
});
