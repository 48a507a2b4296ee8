import { assertEquals, assertNotEquals } from "@std/assert";

import { canonicalUrl } from "../../../../../../tools/engine/web/sources/canonical_url.ts";

Deno.test("canonicalUrl() gives one name to the spellings of a page", () => {
  const name = canonicalUrl("https://example.com/a/b?x=1");
  const same = [
    "http://example.com/a/b?x=1",
    "HTTPS://WWW.Example.COM:443/a/b/?x=1",
    "http://example.com.:80/a//b?x=1#part",
    "https://example.com/a/./c/../b?x=1&utm_source=news&fbclid=3",
    "https://example.com/%61/b?x=1",
    " https://example.com/a/b?x=1\n",
  ];
  for (const url of same) assertEquals(canonicalUrl(url), name, url);
  const others = [
    "https://example.com/a/b?x=2",
    "https://example.com/a/B?x=1",
    "https://sub.example.com/a/b?x=1",
    "https://example.com:8443/a/b?x=1",
    "https://example.com/a%2Fb?x=1",
    "https://example.com/a/b?x=1#/page/2",
  ];
  for (const url of others) assertNotEquals(canonicalUrl(url), name, url);
  assertEquals(canonicalUrl("https://example.com/"), canonicalUrl("example.com".replace(/^/, "http://")));
  assertEquals(canonicalUrl("https://ex.example/%e4%bd%a0"), canonicalUrl("https://ex.example/你"));
  assertEquals(canonicalUrl("no url"), "no url");
  const long = `https://example.com/${"x".repeat(9000)}`;
  assertNotEquals(canonicalUrl(`${long}/a`), canonicalUrl(`${long}/b`));
});
