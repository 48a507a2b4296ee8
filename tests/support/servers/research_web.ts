import { SERVICE_KEYS } from "./search_services.ts";

/**
 * Starts the web. Pages named `old-NAME` lead to `NAME`; the service reads pages whose names begin with `read`, all
 * others only a browser does.
 * `page` gives the address of one, whose name may have a fragment or a query; `asked` has `search QUERY`, `extract NAMES`,
 * and `page NAME` for pages that were fetched.
 *
 * @param finds The names of the pages that a search finds, by its query; others find nothing
 */
export function researchWeb(finds: Readonly<Record<string, readonly string[]>>) {
  const asked: string[] = [];
  const page = (name: string): string => `http://127.0.0.1:${server.addr.port}/pages/${name}`;
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen() {} },
    async (request): Promise<Response> => {
      const { pathname } = new URL(request.url);
      if (pathname.startsWith("/pages/")) return show(nameOf(request.url), { asked, page });
      if (request.headers.get("authorization") !== `Bearer ${SERVICE_KEYS.TAVILY_API_KEY}`) {
        return Response.json({ detail: { error: "Unauthorized: missing or invalid API key." } }, {
          status: 401,
        });
      }
      const { query, urls, max_results } = await request.json();
      if (pathname === "/extract") return extract(urls, asked);
      asked.push(`search ${query}`);
      const results = (finds[query] ?? []).slice(0, max_results).map((name, at) => ({
        title: `Page ${name}`,
        url: page(name),
        content: `About ${name}.`,
        score: 0.9 - at / 10,
        raw_content: null,
      }));
      return Response.json({ query, answer: null, images: [], results, response_time: 0.1, request_id: "1" });
    },
  );
  const { port } = server.addr;
  const env = {
    TAVILY_BASE_URL: `http://127.0.0.1:${port}`,
    TAVILY_API_KEY: SERVICE_KEYS.TAVILY_API_KEY!,
  };
  return { port, page, env, asked, [Symbol.asyncDispose]: () => server.shutdown() };
}

/** Longer than one call shows. */
export function textOf(name: string): string {
  return `This is the page of ${name}. ${
    Array.from({ length: 200 }, (_, at) => `Sentence ${at} of ${name}.`).join(" ")
  } The end of ${name}.`;
}

function extract(urls: readonly string[], asked: string[]): Response {
  const named = urls.map((url) => ({ url, name: nameOf(url) }));
  asked.push(`extract ${named.map(({ name }) => name).join(" ")}`);
  const isRead = ({ name }: { name: string }) => name.startsWith("read");
  return Response.json({
    results: named.filter(isRead).map(({ url, name }) => ({ url, raw_content: textOf(name), images: [] })),
    failed_results: named.filter((one) => !isRead(one)).map(({ url }) => ({ url, error: "Failed to fetch" })),
    response_time: 0.1,
    request_id: "2",
  });
}

function show(
  name: string,
  { asked, page }: { asked: string[]; page(name: string): string },
): Response {
  asked.push(`page ${name}`);
  const [, target] = /^old-(.*)$/.exec(name) ?? [];
  if (target !== undefined) return new Response(null, { status: 301, headers: { location: page(target) } });
  const body =
    `<html lang="en"><head><title>Page ${name}</title></head><body><article><p>${
      textOf(name)
    }</p></article>` +
    "</body></html>";
  return new Response(body, { headers: { "content-type": "text/html; charset=utf-8" } });
}

/** A slash at the end is no part of it. */
function nameOf(url: string): string {
  return new URL(url).pathname.replace(/\/$/, "").split("/").at(-1) ?? "";
}
