import { assertEquals, assertRejects } from "@std/assert";

import { ToolError } from "../../../../../schemas/error.ts";
import { editAgain } from "../../../../../tools/engine/file/edit_again.ts";
import edit from "../../../../../tools/harness/edit.ts";
import harnessEditor from "../../../../../tools/harness/str_replace_editor.ts";
import manusEditor from "../../../../../tools/manus/str_replace_editor.ts";
import parEdit from "../../../../../tools/par/edit.ts";
import { workspace } from "../../../../support/run_tool.ts";

const { signal } = new AbortController();

Deno.test(
  "editAgain() makes an edit again if the file was changed, and only then",
  { permissions: "none" },
  async () => {
    let tries = 0;
    const changed = () => new ToolError("conflict", "changed", { retryable: true });
    assertEquals(
      await editAgain(signal, () => ++tries < 3 ? Promise.reject(changed()) : Promise.resolve(tries)),
      3,
    );
    tries = 0;
    const ambiguous = () => {
      tries++;
      return Promise.reject(new ToolError("conflict", "two places"));
    };
    await assertRejects(() => editAgain(signal, ambiguous), ToolError, "two places");
    assertEquals(tries, 1);
    const stop = AbortSignal.abort(new ToolError("cancelled", "enough"));
    await assertRejects(() => editAgain(stop, () => Promise.reject(changed())), ToolError, "enough");
  },
);

const COUNT = 20;

for (
  const [name, tool, inputOf] of [
    ["harness/Edit", edit, (n: number) => ({ patch: `@@ -${n + 1} +${n + 1} @@\n-<${n}>\n+new ${n}\n` })],
    ["par/edit", parEdit, (n: number) => ({ edits: [{ old: `<${n}>`, new: `new ${n}` }] })],
    ["harness/str_replace_editor", harnessEditor, editorInput],
    ["manus/str_replace_editor", manusEditor, editorInput],
  ] as const
) {
  Deno.test(`${name} loses no edit of other writers of its file`, async () => {
    const numbers = Array.from({ length: COUNT }, (_, n) => n);
    using ws = workspace({ "p.txt": numbers.map((n) => `<${n}>\n`).join("") });
    const path = inputOf === editorInput ? ws.at("p.txt") : "p.txt";
    const done = await Promise.all(numbers.map((n) => ws.run(tool, { path, ...inputOf(n) })));
    assertEquals(done.flatMap(({ error }) => error ?? []), []);
    assertEquals(ws.read("p.txt"), numbers.map((n) => `new ${n}\n`).join(""));
  });
}

function editorInput(n: number) {
  return { command: "str_replace", old_str: `<${n}>`, new_str: `new ${n}` };
}
