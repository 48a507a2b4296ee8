import { assertEquals } from "@std/assert";

import { createRunner, type RunnerOptions, type ScriptTool } from "../../../runtime/mod.ts";
import { boxTest } from "../../support/box.ts";
import { hasProgram } from "../../support/needed_programs.ts";
import { workspace } from "../../support/run_tool.ts";

// What a script tries past what it says is in tests/attacks/scripts.

/** Runs scripts of one text, each with its own needs, and gives what a call of each answers or its error. */
function scene(text: string, needs: Readonly<Record<string, Partial<ScriptTool>>>) {
  const ws = workspace({ "notes.txt": "one\n" });
  const out = workspace({ "script.sh": text });
  const scriptTools = Object.entries(needs).map(([name, changes]): ScriptTool => ({
    ...{ name, path: out.at("script.sh"), description: "Try.", timeout_seconds: 20, ...changes },
  }));
  return {
    async ask(options: Partial<RunnerOptions>): Promise<unknown[]> {
      const given = { workspace: ws.path, config: false, sandbox: "require", scriptTools } as const;
      await using runner = createRunner({ ...given, ...options });
      const answers: unknown[] = [];
      for (const name of Object.keys(needs)) {
        const { result, error } = await runner.call(`script/${name}`, {});
        answers.push(error?.code ?? result);
      }
      return answers;
    },
    [Symbol.dispose]() {
      ws[Symbol.dispose]();
      out[Symbol.dispose]();
    },
  };
}

boxTest("a script reaches through the gate what it names and the user grants", async () => {
  await using server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, () => new Response("7"));
  const host = `127.0.0.1:${server.addr.port}`;
  using it = scene(`curl -sS -m 5 http://${host}/ || echo '"refused"'`, {
    none: {},
    other: { network: ["example.com"] },
    ...hasProgram("curl") ? { all: { network: true }, named: { network: [host] } } : {},
  });
  const answers = await it.ask({ allow: { net: [host] }, allowPrivateNet: [host] });
  assertEquals(answers, ["refused", "refused", ...hasProgram("curl") ? [7, 7] : []]);
});

boxTest("a script gets no more than the run is granted, and rules about commands hold for it", async () => {
  using it = scene("cat notes.txt >/dev/null && printf 1; touch made 2>/dev/null && printf 2; true", {
    all: { filesystem_write: true, network: true },
  });
  assertEquals(await it.ask({ policy: "read-only" }), [1]);
  assertEquals(await it.ask({ policy: { base: "coder", deny: ["bash"] } }), ["denied_by_policy"]);
});
