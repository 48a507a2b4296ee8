import { assertEquals } from "@std/assert";

import { type JudgedCall, makeJudge } from "../../../../../runtime/programs/launch/judge_command.ts";
import { analyseCommand } from "../../../../../runtime/programs/shell/analyse_command.ts";
import { makeGrants } from "../../../../../runtime/walls/grants/make_grants.ts";
import { namedPolicy } from "../../../../../runtime/walls/grants/policies.ts";
import type { Command, CommandFilter } from "../../../../../schemas/command.ts";
import { ToolError } from "../../../../../schemas/error.ts";

const CALL: JudgedCall = { interprets: false, onAnalysis: () => {} };

/** The message with which a command is refused, `null` if it may start. */
async function judged(command: Command, filter: CommandFilter): Promise<string | null> {
  const { commands } = namedPolicy("mine", { base: "coder", deny: ["git push"] });
  const grants = makeGrants({ commands }, { workspace: "/ws", cwd: "/ws", realPath: (path) => path });
  const judge = makeJudge(grants, analyseCommand, filter);
  try {
    await judge(command, CALL);
    return null;
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    assertEquals(error.code, "denied_by_policy");
    return error.message;
  }
}

Deno.test("a policy's filter refuses what the rules allow, and allows nothing that they refuse", async () => {
  const seen: Command[] = [];
  const filter: CommandFilter = (command) => {
    seen.push(command);
    const words = "argv" in command ? command.argv.join(" ") : command.script;
    if (words.includes("secret")) return { refuse: "it names a secret" };
  };
  const push: Command = { argv: ["git", "push"] };
  assertEquals(await judged({ argv: ["ls"] }, filter), null);
  assertEquals(
    await judged({ script: "cat secret.txt", shell: "bash" }, filter),
    'Cannot run this command: policy "mine" refuses it: it names a secret',
  );
  assertEquals(await judged(push, () => {}) === null, false);
  assertEquals(seen, [{ argv: ["ls"] }, { script: "cat secret.txt", shell: "bash" }]);
});

Deno.test("a filter that fails refuses, and cannot change the command", async () => {
  const command: Command = { argv: ["ls", "-l"] };
  const broken: CommandFilter = () => Promise.reject(new Error("out of order"));
  assertEquals(
    await judged(command, broken),
    'Cannot run this command: policy "mine" refuses it: its filter failed: out of order',
  );
  await judged(command, (given) => {
    if ("argv" in given) (given.argv as string[]).push("/etc");
  });
  assertEquals(command.argv, ["ls", "-l"]);
});
