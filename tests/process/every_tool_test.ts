import { assertEquals } from "@std/assert";

import type { Manifest } from "../../schemas/manifest.ts";
import manifest from "../../tools/manifest.json" with { type: "json" };
import { type Answer, makeScene } from "../support/cli/scene.ts";
import { argumentsOf, shellWords } from "../support/tool_examples.ts";

const { tools } = manifest as Manifest;

/** Calls each tool once with the arguments of its first example, under a setting for all tools. */
async function callAll(setting: Record<string, unknown>): Promise<ReadonlyMap<string | number, Answer>> {
  using scene = makeScene({ "ws/src/a.ts": "", "config.json": JSON.stringify({ tools: { "*": setting } }) });
  const words = await shellWords(tools.map(({ examples: [first] }) => first!.line), scene.ws);
  const calls = tools.map((tool, at) => ({
    id: tool.full_name,
    tool: tool.full_name,
    arguments: argumentsOf(tool, words[at]!),
  }));
  const { answers } = await scene.batch(calls, [`--config=${scene.at("config.json")}`]);
  return new Map(answers.map((answer) => [answer.id, answer]));
}

let refused: ReturnType<typeof callAll> | undefined;

// That each succeeds is tested with the tools: by their examples. How calls end whose time is over is tested with calls.
for (const { full_name } of tools) {
  Deno.test(`${full_name} is refused by a rule that denies it`, async () => {
    const answer = (await (refused ??= callAll({ permission: "deny" }))).get(full_name);
    assertEquals([answer?.ok, answer?.error?.code], [false, "denied_by_policy"], answer?.text);
  });
}
