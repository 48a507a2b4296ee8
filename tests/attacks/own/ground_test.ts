import { assert, assertEquals } from "@std/assert";

import { attackTests } from "../attack.ts";

/** What permissions leave to code of others, by what is tried. */
const ROWS: Readonly<Record<string, string>> = {
  kill: 'process.kill(process.pid, "SIGTERM")',
  killNamed: '(await import("node:process")).kill(process.pid, "SIGTERM")',
  abort: "process.abort()",
  exit: "process.exit(3)",
  channel: 'new BroadcastChannel("bulkhead").postMessage({ t: "ready" })',
  channelNode: 'new (await import("node:worker_threads")).BroadcastChannel("x").close()',
  listen: 'Deno.addSignalListener("SIGTERM", () => {})',
  worker: 'new Worker("data:text/javascript,for(;;);", { type: "module" })',
  stdout: 'Deno.stdout.writeSync(new TextEncoder().encode("{\\"t\\":\\"result\\"}\\n"))',
  print: 'console.log("{}"); process.stdout.write("{}\\n")',
  spin: "for (;;);",
  regex: '/^(?:a+)+$/i.test("a".repeat(60) + "!")',
};

attackTests(14, [{
  id: "14-120",
  title: "a tool of one's own uses what permissions leave to end or to talk past the program",
  alone: true,
  files: {
    "ws/ground.ts": `import { defineTool } from "bulkhead";
import * as z from "zod";
const rows: Record<string, () => unknown> = {
${Object.entries(ROWS).map(([name, code]) => `  ${name}: async () => { ${code}; },`).join("\n")}
};
export default defineTool({
  name: "ground",
  description: "Tries.",
  input: z.object({ row: z.string() }),
  limits: { timeoutMs: 3_000 },
  run: async ({ row }) => { await rows[row]!(); return "done"; },
});
`,
    "ws/a.txt": "alive",
  },
  flags: ["--tools", "<ws>/ground.ts"],
  async act({ batch }) {
    const alive = { tool: "Read", arguments: { path: "a.txt" } };
    const calls = Object.keys(ROWS).flatMap((row) => [{ tool: "ground", arguments: { row } }, alive]);
    const answers = await batch(calls);
    assertEquals(answers.length, calls.length);
    // Whatever became of the room, the program goes on, and every answer is its own.
    for (const [at, answer] of answers.entries()) {
      if (at % 2 === 1) assert(answer.ok && answer.text.includes("alive"), JSON.stringify(answer));
    }
    const of = (row: string) => answers[2 * Object.keys(ROWS).indexOf(row)]!;
    for (const row of ["kill", "abort", "channel", "listen", "worker", "spin", "regex"]) {
      assertEquals(of(row).ok, false, `${row}: ${JSON.stringify(of(row))}`);
    }
  },
}]);
