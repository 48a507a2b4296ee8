import { assertEquals } from "@std/assert";

import type { Manifest } from "../../../schemas/manifest.ts";
import manifest from "../../../tools/manifest.json" with { type: "json" };
import { makeScene } from "../../support/cli/scene.ts";
import { argumentsOf, shellWords } from "../../support/tool_examples.ts";

const FILES = {
  "ws/README.md": "# Shop\n\nTODO: tell more\n",
  "ws/notes.md": "buy tea\n",
  "ws/src/cart.ts": "// TODO: round\nexport const total = 1;\n",
};

/** What starts programs, reads documents, draws charts or asks people has cases of its own; what each says, the tools' units. */
const tools = (manifest as Manifest).tools.filter(({ full_name, needs }) =>
  needs.run === undefined && needs.net === undefined &&
  !/\/(Read[A-Z]\w+|data_visualization|ask_human|AskUser)$/.test(full_name)
);

Deno.test("every tool succeeds in its room with the arguments of its example", async () => {
  using scene = makeScene(FILES);
  const words = await shellWords(tools.map(({ examples: [first] }) => first!.line), scene.ws);
  const calls = tools.map((tool, at) => ({ tool: tool.full_name, arguments: argumentsOf(tool, words[at]!) }));
  const { code, answers } = await scene.batch(calls, ["--session=one"]);
  assertEquals(code, 0);
  for (const [at, { tool_name, ok, images, error }] of answers.entries()) {
    assertEquals([tool_name, ok, images, error], [tools[at]!.full_name, true, [], null]);
  }
  assertEquals([scene.read("ws/notes/today.md"), scene.read("ws/notes.md")], ["buy tea", "drink coffee\n"]);
});

Deno.test("call prints the text of a result, and with --json the whole as one line", async () => {
  using scene = makeScene(FILES);
  const [shown, whole] = [
    await scene.run(["call", "Read", "src/cart.ts", "start_line=2"]),
    await scene.run(["call", "Read", "src/cart.ts", "start_line=2", "--json"]),
  ];
  assertEquals(shown, { code: 0, stdout: `${JSON.parse(whole.stdout).text}\n`, stderr: "" });
  assertEquals(whole.stdout.indexOf("\n"), whole.stdout.length - 1);
  const { metadata: _, text, ...rest } = JSON.parse(whole.stdout.replaceAll(scene.ws, "<ws>"));
  const content = "export const total = 1;";
  const lines = { start_line: 2, end_line: 2, total_lines: 2, truncated: false };
  assertEquals(
    text,
    `path: <ws>/src/cart.ts\nsource_type: text\n${
      Object.entries(lines).map(([name, value]) => `${name}: ${value}\n`).join("")
    }content:\n${content}`,
  );
  assertEquals(rest, {
    ...{ tool_name: "harness/Read", ok: true, error: null, images: [], artifacts: [], warnings: [] },
    result: { path: "<ws>/src/cart.ts", source_type: "text", ...lines, content },
  });
});
