import { assertEquals } from "@std/assert";

import { listModels, listProviders, type ListWish } from "../../../../runtime/agent/list_models.ts";
import { ToolError } from "../../../../schemas/error.ts";
import { workspace } from "../../../support/run_tool.ts";
import { scriptedModel, type ScriptedTurn } from "../../../support/scripted_model.ts";

const LIST = { data: [{ id: "b", context_length: 4096 }, { id: "a/c" }, { object: "model" }] };
const manifest = { version: 1, default_toolset: "harness", tools: [] } as never;

/** Lists with this environment, and returns what came and what was asked. */
async function list(
  wish: (url: string) => ListWish,
  { env = () => ({}), turns = [{ body: LIST }], models = {} }: {
    env?(server: { url: string; port: number }): Record<string, string>;
    turns?: readonly ScriptedTurn[];
    models?: Record<string, unknown>;
  } = {},
) {
  using ws = workspace({ "ws/a": "", "config.json": JSON.stringify({ models }) });
  await using server = scriptedModel(turns);
  const text = JSON.stringify({ models }).replaceAll("SERVER", server.url);
  Deno.writeTextFileSync(ws.at("config.json"), text);
  const host = {
    ...{ grants: {}, programs: {}, limits: {}, control: {} },
    places: { workspace: "ws", cwd: ws.path, mainUrl: "" },
    env: { HOME: ws.path, OPENAI_API_KEY: "sk-openai-1", ...env(server) },
    config: { file: ws.at("config.json") },
    warn() {},
  };
  try {
    const signal = new AbortController().signal;
    const offered = await listModels(wish(server.url), { host, manifest, signal });
    return { offered, error: null, requests: server.requests };
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    return { offered: null, error, requests: server.requests };
  }
}

Deno.test("listModels() lists what a provider offers, with its own key", async () => {
  const { offered, requests } = await list(() => ({ name: "ollama" }), {
    env: ({ port }) => ({ OLLAMA_HOST: `127.0.0.1:${port}` }),
  });
  assertEquals(offered?.models, [{ id: "a/c", context_tokens: null }, { id: "b", context_tokens: 4096 }]);
  assertEquals(offered?.provider, "ollama");
  assertEquals([requests[0]?.path, requests[0]?.headers.get("authorization")], ["/v1/models", null]);
  const keys = { ANTHROPIC_API_KEY: "sk-ant-1", OPENAI_BASE_URL: "http://x" };
  const env = ({ url }: { url: string }) => ({ ...keys, ANTHROPIC_BASE_URL: url });
  const anthropic = await list(() => ({ name: "anthropic" }), { env });
  const headers = anthropic.requests[0]?.headers;
  assertEquals([headers?.get("x-api-key"), headers?.get("authorization")], ["sk-ant-1", null]);
});

Deno.test("listModels() lists the server of a flag, of the environment, or of a configured model", async () => {
  const flag = await list((baseUrl) => ({ baseUrl }));
  assertEquals(flag.requests[0]?.headers.get("authorization"), "Bearer sk-openai-1");
  const openai = await list(() => ({ name: "openai" }), { env: ({ url }) => ({ OPENAI_BASE_URL: url }) });
  assertEquals(openai.offered?.models.length, 2);
  const models = { mine: { base_url: "SERVER", headers: { "x-team": "blue-team-7" } } };
  const mine = await list(() => ({ name: "mine" }), { models });
  const headers = mine.requests[0]?.headers;
  assertEquals([headers?.get("x-team"), headers?.get("authorization")], ["blue-team-7", null]);
});

Deno.test("listModels() finds the list below /v1, and reads other forms of it", async () => {
  const absent = [{ status: 404, body: "Cannot GET /models" }, { body: { error: "Unexpected endpoint" } }];
  for (const turn of absent) {
    const turns = [turn, { body: [{ name: "models/x" }] }];
    const { offered, requests } = await list((url) => ({ baseUrl: url.replace(/\/v1$/, "") }), { turns });
    assertEquals(offered?.models, [{ id: "models/x", context_tokens: null }]);
    assertEquals(requests.map(({ path }) => path), ["/models", "/v1/models"]);
  }
});

Deno.test("listModels() says why there is no list", async () => {
  const cases: readonly (readonly [ListWish, ScriptedTurn, string, string])[] = [
    [{ name: "grok" }, {}, "invalid_input", 'did you mean "groq"?'],
    [{ name: "groq" }, {}, "unauthenticated", "set GROQ_API_KEY"],
    [{}, { status: 401, body: "no sk-openai-1" }, "unauthenticated", "[redacted]"],
    [{}, { body: { hello: "world" } }, "external_failure", "not a list of models"],
  ];
  for (const [wish, turn, code, part] of cases) {
    const asked = (baseUrl: string) => ({ ...(wish.name === undefined && { baseUrl }), ...wish });
    const { error } = await list(asked, { turns: [turn] });
    assertEquals([error?.code, error?.message.includes(part)], [code, true], error?.message);
  }
  const { error } = await list(() => ({ baseUrl: "ftp://x" }));
  assertEquals(error?.message.includes("--base-url"), true);
});

Deno.test("listProviders() says whose key is set, and where each provider is", () => {
  const variables: Record<string, string> = { GOOGLE_API_KEY: "g", OLLAMA_HOST: "pi" };
  const known = listProviders((name) => variables[name]);
  const found = (provider: string) => known.find((row) => row.provider === provider);
  assertEquals([found("gemini")?.key_set, found("groq")?.key_set], ["GOOGLE_API_KEY", null]);
  assertEquals([found("ollama")?.base_url, found("ollama")?.needs_key], ["http://pi:11434/v1", false]);
  assertEquals(found("openai")?.needs_key, true);
  const own = listProviders((name) => name === "OPENAI_BASE_URL" ? "http://127.0.0.1:4000/v1" : undefined);
  assertEquals(own.find(({ provider }) => provider === "openai")?.needs_key, false);
});
