import { assertEquals } from "@std/assert";

import type { Manifest } from "../../../../schemas/manifest.ts";
import type { AgentDefinition } from "../../../../schemas/step/agent_definition.ts";
import { type AgentBasis, useAgent } from "../../../../runtime/agent/use_agent.ts";
import type { HostSettings } from "../../../../runtime/host/host_settings.ts";
import { readHostConfig } from "../../../../runtime/host/configure_host.ts";
import { refusalOf } from "../../../support/refusal.ts";
import manifestJson from "../../../../tools/manifest.json" with { type: "json" };

const manifest = manifestJson as unknown as Manifest;
const MODEL = {
  ...{ name: "m", base_url: "http://127.0.0.1:1/v1", api_key_env: "A_KEY", temperature: 0.5, max_tokens: 90 },
};

function host(env: Record<string, string> = {}): HostSettings {
  return {
    ...{ grants: {}, programs: {}, limits: {}, control: {}, config: false },
    places: { workspace: "/", cwd: "/", mainUrl: "file:///main.ts" },
    env,
    warn() {},
  };
}

async function use(
  definition: AgentDefinition,
  { env, ...rest }: Partial<Omit<AgentBasis, "host">> & { env?: Record<string, string> } = {},
) {
  const task = { agent: { name: "a", own: { a: definition } } };
  const basis: AgentBasis = { host: host(env), manifest, tools: {}, model: {}, task, ...rest };
  return (await useAgent(basis, readHostConfig(basis.host, manifest.tools))).settings;
}

Deno.test("useAgent() takes an agent's tools unless the user chose some, and adds extra ones", async () => {
  const tools = ["Read", "Grep"];
  const chosen = async (given: AgentBasis["tools"], mcp?: string[]) =>
    (await use({ tools, ...mcp && { mcp } }, { tools: given })).tools;
  assertEquals(await chosen({}), { tools, beside: [] });
  assertEquals(await chosen({ extraTools: ["Bash", "Read"] }), { tools: [...tools, "Bash"], beside: [] });
  assertEquals(await chosen({}, ["*"]), { tools, beside: ["mcp"] });
  assertEquals(await chosen({ tools: ["Glob"] }), { tools: ["Glob"] });
  assertEquals(await chosen({ toolsets: ["par"] }), { toolsets: ["par"] });
  assertEquals(await chosen("none"), "none");
});

Deno.test("useAgent() sends an agent's key to its own address alone", async () => {
  const of = async (model: AgentBasis["model"]) => {
    const env = { A_KEY: "sk-a-key-1" };
    const { model: made, host: { control } } = await use({ model: MODEL }, { model, env });
    return [made.name, made.baseUrl, made.apiKey, made.extraBody, made.profile, control.secrets];
  };
  const style = [{ temperature: 0.5 }, { output_tokens: 90 }];
  assertEquals(await of({}), ["m", MODEL.base_url, "sk-a-key-1", ...style, ["sk-a-key-1"]]);
  assertEquals(await of({ name: "m" }), ["m", MODEL.base_url, "sk-a-key-1", ...style, ["sk-a-key-1"]]);
  assertEquals(await of({ name: "other" }), ["other", undefined, undefined, ...style, []]);
  const other = "http://127.0.0.1:2/v1";
  assertEquals(await of({ baseUrl: other }), ["m", other, undefined, ...style, []]);
});

Deno.test("useAgent() says which variable the key of a model is missing in, unless nothing is called", async () => {
  const error = await refusalOf(() => use({ model: MODEL }));
  const told = 'No key for the model of agent "a": set A_KEY';
  assertEquals([error?.code, error?.message], ["unauthenticated", told]);
  const loaded = readHostConfig(host(), manifest.tools);
  const task = { agent: { name: "a", own: { a: { model: MODEL } } } };
  const shown = { ...host(), runsCalls: false };
  await useAgent({ host: shown, manifest, tools: {}, model: {}, task }, loaded);
});

Deno.test("useAgent() tells tools for the web the agent's settings, without searches that the run counts", async () => {
  const env = { SGR__SEARCH__MAX_RESULTS: "20", PATH: "/bin" };
  const wanted = { PATH: "/bin", SGR__SEARCH__ENGINE: "brave", SGR__SEARCH__MAX_RESULTS: "3" };
  for (const max_searches of [0, 4]) {
    const search = { max_results: 3, max_searches, engine: "brave" } as const;
    assertEquals((await use({ search, limits: { max_searches } }, { env })).host.env, wanted);
  }
});

Deno.test("useAgent() lets the run's own way of thinking count before the agent's", async () => {
  const prompts = { system: "You are a." };
  assertEquals((await use({ kind: "sgr", prompts })).thinking, { kind: "sgr", prompts });
  const own = await use({ kind: "sgr", prompts }, { thinking: { kind: "plan" } });
  assertEquals(own.thinking, { kind: "plan", prompts });
  assertEquals((await use({})).thinking, {});
});

Deno.test("useAgent() lets what an agent says of its tools count before all variables", async () => {
  const env = {
    SGR__SEARCH__ENGINE: "brave",
    SGR__TOOLS__WEB_SEARCH_TOOL__ENGINE: "brave",
    SGR__TOOLS__WEB_SEARCH_TOOL__MAX_RESULTS: "9",
  };
  const { host: { env: made } } = await use({ search: { engine: "tavily" } }, { env });
  assertEquals(made, { SGR__SEARCH__ENGINE: "tavily", SGR__TOOLS__WEB_SEARCH_TOOL__MAX_RESULTS: "9" });
});
