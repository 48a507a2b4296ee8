import { assertEquals } from "@std/assert";

import { makeForeignReader } from "../../../../runtime/cli/show/markdown/foreign_reader.ts";
import { showOutput } from "../../../../runtime/cli/show/output/show_output.ts";
import type { ShownOutput } from "../../../../schemas/manifest.ts";
import { toolResult } from "../../../support/tool_result.ts";

const MATCHES: ShownOutput = { kind: "matches", at: "results", caseArgument: "case", searched: "files" };
const hit = (path: string, line: number, text: string) => ({ path, line, text });

/** What a tool says of its output, the arguments, the output, and what a terminal gets; codes are shown as `<1>`. */
const SHOWN: readonly (readonly [ShownOutput, Record<string, unknown>, unknown, string | null])[] = [
  [
    MATCHES,
    { pattern: "b" },
    { files: 4, results: [hit("/ws/a.ts", 3, "aB\x1b[2Jb"), hit("/other/b.ts", 1, "b")] },
    "<35>a.ts<0>:<32>3<0>: a<1;31>B<0><1;31>b<0>\n<35>/other/b.ts<0>:<32>1<0>: <1;31>b<0>\n<2>2 things (4 searched)<0>\n",
  ],
  [
    MATCHES,
    { pattern: "b+", case: true },
    { results: [hit("/ws/a", 1, "B bb")] },
    "<35>a<0>:<32>1<0>: B <1;31>bb<0>\n<2>2 things<0>\n",
  ],
  [MATCHES, { pattern: "(" }, { results: [hit("/ws/a", 1, "(")] }, "<35>a<0>:<32>1<0>: (\n<2>2 things<0>\n"],
  [{ kind: "matches", at: null }, { pattern: "x" }, ["a:1:x"], "a:1:<1;31>x<0>\n<2>2 things<0>\n"],
  [{ kind: "lines", at: "results" }, {}, { results: ["/ws/a/b\n", "/ws"] }, "a/b\\n\n/ws\n<2>2 things<0>\n"],
  [{ kind: "text", at: "content" }, {}, { content: "one\x1b[31m\ntwo" }, "one\ntwo\n"],
  [{ kind: "text", at: "content" }, {}, { content: "one", truncated: true }, "one\n<2>[2 things]<0>\n"],
  [
    { kind: "program", code: "code" },
    {},
    { stdout: "out", stderr: "err\n", code: 3 },
    "out\n|err\n<31>exit 3<0>\n",
  ],
  [{ kind: "program", code: "code" }, {}, { stdout: "out\n", stderr: "", code: 0 }, "out\n"],
  // What is not of the form is shown as the model sees it.
  [{ kind: "text", at: "content" }, {}, "text", null],
  [MATCHES, { pattern: "x" }, { results: [{ path: 1 }] }, null],
];

Deno.test("showOutput() shows outputs as a person at a terminal reads them", async () => {
  using reader = makeForeignReader();
  for (const [shows, input, result, expected] of SHOWN) {
    const metadata = { duration_ms: 1, place: "sandbox", summary: "2 things" } as const;
    const place = { shows, input, canvas: { colors: true }, folder: "/ws", reader };
    const shown = await showOutput(toolResult({ result, metadata }), place);
    const text = shown && [shown.stdout, shown.stderr].filter((part) => part !== "").join("|");
    // deno-lint-ignore no-control-regex
    assertEquals(text?.replace(/\x1b\[([\d;]*)m/g, "<$1>") ?? null, expected);
  }
});
