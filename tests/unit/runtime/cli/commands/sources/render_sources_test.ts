import { assertEquals } from "@std/assert";

import { renderSources } from "../../../../../../runtime/cli/commands/sources/render_sources.ts";
import type { KeptSource } from "../../../../../../schemas/step/sources.ts";

const OPENED: KeptSource = {
  number: 1,
  title: "Tea & kettles: 50 % of {them} in C_1 #2 ~^\\$",
  url: "https://a.example/x_y?q=1&r=%20#top",
  snippet: "s",
  charCount: 5,
  found: "2026-01-30T23:00:00.000Z",
  opened: "2026-01-31T00:00:00.000Z",
};
const FOUND: KeptSource = {
  number: 2,
  title: "",
  url: "https://b.example/}{",
  snippet: "",
  charCount: 0,
};
const HOSTILE: KeptSource = {
  number: 3,
  title: "a\n  @misc{evil,\n}\x1b[2J\u202eb",
  url: "https://c.example/\x1b[2J}\n@comment{",
  snippet: "",
  charCount: 0,
  found: "2026-02-01T10:00:00.000Z",
};

Deno.test("renderSources() prints a line each as text, and all that is known as JSON", () => {
  assertEquals(
    renderSources("s", [OPENED, FOUND], "text"),
    `[1] ${OPENED.title} - ${OPENED.url}\n[2] https://b.example/}{ - https://b.example/}{\n`,
  );
  assertEquals(JSON.parse(renderSources("s", [OPENED, FOUND], "json")), {
    session: "s",
    sources: [
      {
        ...{ number: 1, title: OPENED.title, url: OPENED.url, snippet: "s", chars: 5 },
        ...{ found: OPENED.found, opened: OPENED.opened },
      },
      { number: 2, title: "", url: FOUND.url, snippet: "", chars: 0, found: null, opened: null },
    ],
  });
  assertEquals(renderSources("s", [], "text"), "");
});

Deno.test("renderSources() escapes what means something to BibTeX and TeX", () => {
  assertEquals(
    renderSources("s", [OPENED], "bibtex"),
    "@misc{source1,\n" +
      "  title = {{Tea \\& kettles: 50 \\% of {\\textbraceleft}them{\\textbraceright} in C\\_1 \\#2 " +
      "{\\textasciitilde}{\\textasciicircum}{\\textbackslash}\\$}},\n" +
      "  howpublished = {\\url{https://a.example/x_y?q=1&r=%20#top}},\n" +
      "  url = {https://a.example/x_y?q=1&r=%20#top},\n" +
      "  urldate = {2026-01-31},\n" +
      "  note = {Accessed 2026-01-31},\n" +
      "}\n",
  );
});

Deno.test("renderSources() lets no source end its entry, begin another one, or steer a terminal", () => {
  for (const form of ["text", "bibtex", "csl-json"] as const) {
    const text = renderSources("s", [HOSTILE, FOUND], form);
    // deno-lint-ignore no-control-regex
    assertEquals(/[\x1b\u202e]/.test(text), false, form);
  }
  const entries = renderSources("s", [HOSTILE, FOUND], "bibtex");
  assertEquals(entries.match(/^@.*$/gm), ["@misc{source3,", "@misc{source2,"]);
  let depth = 0;
  for (const [sign] of entries.matchAll(/[{}]/g)) {
    depth += sign === "{" ? 1 : -1;
    assertEquals(depth >= 0, true);
  }
  assertEquals(depth, 0);
  assertEquals(renderSources("s", [HOSTILE], "text").split("\n").length, 2);
});

Deno.test("renderSources() makes items of CSL-JSON: web pages with the day of access", () => {
  const items = JSON.parse(renderSources("s", [OPENED, FOUND, HOSTILE], "csl-json"));
  assertEquals(items.slice(0, 2), [
    {
      ...{ id: "source1", type: "webpage", "citation-number": "1", title: OPENED.title, URL: OPENED.url },
      accessed: { "date-parts": [[2026, 1, 31]] },
    },
    { id: "source2", type: "webpage", "citation-number": "2", title: FOUND.url, URL: FOUND.url },
  ]);
  assertEquals(items[2].accessed, { "date-parts": [[2026, 2, 1]] });
});
