import { assertEquals } from "@std/assert";

import { search } from "../../../../../../support/web/search_scene.ts";
import type { FakeAnswer } from "../../../../../../support/web/fake_web.ts";

const FIRST = { title: "First", url: "https://a.example/?x=1", snippet: "A kettle." };
const href = "/url?q=https://a.example/%3Fx%3D1&amp;sa=U&amp;ved=2";
const FORMS = [
  `<div class="zMzFAb"><a class="fuLhoc" href="${href}"><span class="CVA68e">First</span></a><div class="taTFJ"><span class="FrIlee">A kettle.</span></div></div>`,
  `<div class="ezO2md"><div><a href="${href}"><span class="CVA68e">First</span></a></div><span class="FrIlee">A kettle.</span></div>`,
  `<div data-hveid="x"><a href="https://a.example/?x=1"><h3>First</h3></a><div class="VwiC3b">A kettle.</div></div>`,
];

const outcome = async (answer: FakeAnswer) => {
  const { hits, error } = await search({ engines: ["google"], keys: [] }, answer);
  return error === null ? hits.length : error.details.blocked === true ? "blocked" : error.code;
};

Deno.test("Google: results in each form of its page", async () => {
  for (const body of FORMS) {
    const { hits, error } = await search({ engines: ["google"], keys: [] }, {
      body: `<html>${body}${body}</html>`,
    });
    assertEquals([error?.message, hits], [undefined, [FIRST]], body);
  }
  const { web } = await search({ engines: ["google"], keys: [], language: "de", country: "at" }, {
    body: FORMS[0],
  });
  const asked = new URL(web.requests[0]!.url).searchParams;
  assertEquals([asked.get("q"), asked.get("hl"), asked.get("lr"), asked.get("gl")], [
    "tea kettle",
    "de",
    "lang_de",
    "at",
  ]);
});

Deno.test("Google: blocked, empty and broken are three things", async () => {
  const location = "https://www.google.com/sorry/index?continue=x";
  assertEquals(await outcome({ status: 302, headers: { location } }), "blocked");
  assertEquals(
    await outcome({ status: 302, headers: { location: "https://consent.google.com/ml?x" } }),
    "blocked",
  );
  assertEquals(await outcome({ status: 429, body: "unusual traffic" }), "blocked");
  const shell =
    '<noscript><meta http-equiv="refresh" content="0;url=/httpservice/retry/enablejs?sei=x"></noscript>';
  assertEquals(await outcome({ body: shell }), "blocked");
  assertEquals(await outcome({ body: "Your search - <b>x</b> - did not match any documents." }), 0);
  assertEquals(await outcome({ body: "<html></html>" }), "external_failure");
});
