import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";

import { createAgent, type RunEvent } from "../../../../../runtime/mod.ts";
import { foldTrace } from "../../../../../runtime/agent/conversation/conversation.ts";
import { LentModel } from "../../../../../runtime/agent/loop/lent_model.ts";
import { runAgent } from "../../../../../runtime/agent/loop/run_agent.ts";
import { readTrace } from "../../../../../runtime/state/sessions/trace_file.ts";
import type { ModelReply } from "../../../../../schemas/agent/model.ts";
import { ToolError } from "../../../../../schemas/error.ts";
import { ask, calls, makePlay, START, task } from "../../../../support/agent_scene.ts";
import { agentEnv, ownModel } from "../../../../support/own_model.ts";
import { workspace } from "../../../../support/run_tool.ts";

const USAGE = { input_tokens: 100, cached_tokens: 0, output_tokens: 10 };
const QUESTION = { purpose: "server", messages: [task("What is 1 + 1?")], tools: [] } as const;
const { signal } = new AbortController();

Deno.test("what a server asks the model counts in the run's budget, and is refused when that is used up", async () => {
  const answers: string[] = [];
  const play = makePlay([calls(ask("Read", {}, "c1")), { content: "Never said" }], {
    limits: { tokens: 300 },
    async call() {
      for (let times = 0; times < 3; times++) {
        // A tool counts as a server does.
        const purpose = times === 0 ? "tool" : "server";
        const asked = lent.complete({ ...QUESTION, purpose }, { signal });
        answers.push(
          await asked.then(({ content }) => content, (error) => `${error.code}: ${error.message}`),
        );
      }
      return {};
    },
  });
  const answering = { ...play.parts.model, complete: () => Promise.resolve({ ...REPLY, usage: USAGE }) };
  const lent = new LentModel(answering);
  const before = await assertRejects(() => lent.complete(QUESTION, { signal }), ToolError);
  assertEquals(before.code, "unavailable");
  const first = { ...REPLY, ...calls(ask("Read", {}, "c1")), usage: USAGE };
  const model = { ...lent.ofRun, complete: () => Promise.resolve(first) };
  const outcome = await runAgent([...START], { ...play.parts, model });
  const refused = "limit_exceeded: The limit of 300 tokens is reached: the model answers no more requests";
  assertEquals(answers, ["2", "2", refused]);
  const { rounds, input_tokens, output_tokens } = outcome.usage;
  assertEquals([outcome.termination_reason, rounds, input_tokens, output_tokens], ["max_tokens", 3, 300, 30]);
  const replies = play.lines.flatMap((line) => line.t === "reply" ? [line.purpose] : []);
  assertEquals(replies, ["turn", "tool", "server"]);
  // A resumed run knows nothing of it.
  assertEquals(foldTrace(play.lines).messages.filter(({ role }) => role === "assistant").length, 1);
  const after = await assertRejects(() => lent.complete(QUESTION, { signal }), ToolError);
  assertEquals(after.code, "unavailable");
});

const REPLY: ModelReply = { content: "2", tool_calls: [], finish: "stop", usage: null };

/** A server in the language of the shell: its tool asks the model. */
const SERVER = `
answer() { printf '{"jsonrpc":"2.0","id":%s,"result":%s}\\n' "$id" "$1"; }
while read -r line; do
  id=$(printf '%s' "$line" | sed -n 's/.*"id":\\([0-9]*\\).*/\\1/p')
  case "$line" in
    *'"initialize"'*) answer '{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}' ;;
    *tools/list*) answer '{"tools":[{"name":"think","inputSchema":{"type":"object"}}]}' ;;
    *'"name":"think"'*)
      printf '%s\\n' '{"jsonrpc":"2.0","id":"q","method":"sampling/createMessage","params":{"messages":[{"role":"user","content":{"type":"text","text":"What is 1 + 1?"}}],"maxTokens":9}}'
      read -r said
      answer "{\\"content\\":[{\\"type\\":\\"text\\",\\"text\\":\\"$(printf '%s' "$said" | tr -d '"')\\"}]}" ;;
  esac
done
`;

Deno.test("a run counts and traces what its servers ask", async () => {
  using ws = workspace({ "server.sh": SERVER, "ws/.keep": "" });
  const model = ownModel(({ purpose, messages }) => {
    const isFirst = purpose !== "server" && !messages.some(({ role }) => role === "tool");
    return { content: "2", ...isFirst && calls(ask("mcp_s_think", {}, "c1")), usage: USAGE };
  });
  await using agent = createAgent({
    ...{ model, workspace: ws.at("ws"), config: false, project: false, env: agentEnv(ws) },
    grants: { sandbox: "off", allow: { run: ["sh"] } },
    mcpServers: { s: { command: "sh", args: [ws.at("server.sh")] } },
    confirm: () => Promise.resolve("run"),
    limits: { rounds: 3 },
  });
  const events: RunEvent[] = [];
  const run = agent.run("Think");
  for await (const event of run) events.push(event);
  const { usage, termination_reason, trace_path } = await run;
  const [result] = events.flatMap((event) => event.type === "tool.end" ? [event.result.text] : []);
  assertStringIncludes(result ?? "", "content:{type:text,text:2}");
  assertEquals([termination_reason, usage.rounds, usage.output_tokens], ["completed", 3, 30]);
  const lines = await readTrace(trace_path!);
  const replies = lines.flatMap((line) => line.t === "reply" ? [line.purpose] : []);
  assertEquals(replies, ["turn", "server", "turn"]);
});
