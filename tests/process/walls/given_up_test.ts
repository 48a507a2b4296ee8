import { assertEquals } from "@std/assert";
import { fromFileUrl } from "@std/path";

import { type Running, sourceProgram, start } from "../../support/program.ts";
import { workspace } from "../../support/run_tool.ts";
import { scriptedModel } from "../../support/scripted_model.ts";

/** Starts the program from source; it says at its end what its process may still do. */
function startTelling(args: readonly string[], { cwd }: { cwd: string }) {
  const main = fromFileUrl(new URL("../../fixtures/permissions_at_exit.ts", import.meta.url));
  const env = { XDG_STATE_HOME: `${cwd}/state`, XDG_CONFIG_HOME: `${cwd}/config` };
  return start(args, { cwd, env, program: sourceProgram(main) });
}

async function heldAtEnd(running: Running): Promise<string | undefined> {
  const { stderr } = await running.ended();
  const [, held] = /^still held: (.*)$/m.exec(stderr) ?? [];
  return held ?? stderr;
}

const READS = ["Read", "path=a.txt", "--policy=read-only"];

for (
  const { name, args, stdin = "", held } of [
    { name: "call of a reading tool", args: ["call", ...READS], held: "read run" },
    {
      name: "call that writes",
      args: ["call", "Write", "path=b.txt", "content=b", "--allow-write=."],
      held: "read write run",
    },
    { name: "call of a program", args: ["call", "Bash", "command=true"], held: "sys read write run" },
    { name: "tools", args: ["tools", "--policy=read-only"], held: "read run" },
    {
      name: "batch",
      args: ["batch", "-"],
      stdin: '{"tool":"Read","arguments":{"path":"a.txt"}}\n',
      held: "sys read write run",
    },
    { name: "exec", args: ["exec", "--", "true"], held: "sys read write run" },
    { name: "mcp serve", args: ["mcp", "serve", "--tool=Read"], held: "read write run" },
    { name: "run --tasks", args: ["run", "--tasks", "-"], held: "net sys read write run" },
  ]
) {
  Deno.test(`${name} leaves the program's process no permission that it does not need`, async () => {
    using ws = workspace({ "a.txt": "a\n" });
    const running = startTelling(args, { cwd: ws.path });
    if (stdin !== "") await running.write(stdin);
    await running.closeInput();
    assertEquals(await heldAtEnd(running), held);
  });
}

Deno.test("run leaves the program's process no permission that it does not need", async () => {
  using ws = workspace();
  await using model = scriptedModel([{ text: "Done." }]);
  const asked = ["--model=test-model", `--base-url=${model.url}`];
  const running = startTelling(["run", "Do it", "--tool=Read", ...asked], { cwd: ws.path });
  await running.closeInput();
  assertEquals(await heldAtEnd(running), "read write run");
});

Deno.test("serve reads nothing more of the environment", async () => {
  using ws = workspace();
  const running = startTelling(["serve", "--port=0"], { cwd: ws.path });
  await running.told(/serving on/);
  running.kill("SIGTERM");
  assertEquals(await heldAtEnd(running), "net sys read write run");
});
