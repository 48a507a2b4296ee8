import { assertEquals, assertThrows } from "@std/assert";

import {
  checkPrices,
  chooseLimits,
  chooseModel,
  modelProfileOf,
  type ModelSources,
  replayFile,
} from "../../../runtime/model/choose_model.ts";
import { AGENT_LIMITS } from "../../../schemas/agent/agent.ts";
import { ToolError } from "../../../schemas/error.ts";
import { UNKNOWN_MODEL } from "../../../schemas/agent/model.ts";

interface Said extends Partial<Omit<ModelSources, "env">> {
  variables?: Record<string, string>;
}

function choose({ variables = {}, ...said }: Said) {
  return chooseModel({ agent: {}, models: {}, ...said, env: (name) => variables[name] });
}

const KEY = { OPENAI_API_KEY: "key" };
const OPENAI = "https://api.openai.com/v1";

Deno.test("chooseModel() hears flags before the environment, and that before the configuration", () => {
  const models = { m: { base_url: "https://config.example/v1" } };
  const cases: readonly (readonly [Said, string, string, string])[] = [
    [{ name: "m", variables: KEY }, "m", OPENAI, "key"],
    [{ agent: { model: "c" }, variables: KEY }, "c", OPENAI, "key"],
    [{ agent: { model: "c" }, variables: { ...KEY, OPENAI_MODEL: "e" } }, "e", OPENAI, "key"],
    [{ name: "m", variables: { ...KEY, OPENAI_MODEL: "e" } }, "m", OPENAI, "key"],
    [{ variables: { API_KEY: "k2", API_BASE: "http://h/v1", MODEL_NAME: "n" } }, "n", "http://h/v1", "k2"],
    [{ name: "m", models, variables: KEY }, "m", "https://config.example/v1", "key"],
    [{ name: "m", models, variables: { ...KEY, OPENAI_API_BASE: "http://e/" } }, "m", "http://e/", "key"],
    [
      { name: "m", models, baseUrl: "http://f/", variables: { ...KEY, OPENAI_BASE_URL: "http://e/" } },
      "m",
      "http://f/",
      "key",
    ],
    [{ name: "m", variables: { ...KEY, OPENAI_BASE_URL: " " } }, "m", OPENAI, "key"],
    [{ name: "m", baseUrl: "http://localhost:1/v1" }, "m", "http://localhost:1/v1", ""],
    [{ name: "m", baseUrl: "http://[::1]:1/v1" }, "m", "http://[::1]:1/v1", ""],
    [{ name: "m", baseUrl: "http://127.0.0.2/v1" }, "m", "http://127.0.0.2/v1", ""],
  ];
  for (const [said, name, baseUrl, apiKey] of cases) {
    const choice = choose(said);
    assertEquals([choice.name, choice.baseUrl, choice.apiKey], [name, baseUrl, apiKey]);
  }
});

Deno.test("chooseModel() says what is missing", () => {
  const cases: readonly (readonly [Said, string, string])[] = [
    [{}, "configuration", "OPENAI_MODEL"],
    [{ name: "m" }, "unauthenticated", "OPENAI_API_KEY"],
    [{ name: "m", baseUrl: "http://127.0.0.1.evil.example/" }, "unauthenticated", "OPENAI_API_KEY"],
    [{ name: "m", baseUrl: "file:///x" }, "invalid_input", "--base-url"],
    [{ name: "m", variables: { OPENAI_BASE_URL: "x" } }, "configuration", "OPENAI_BASE_URL"],
  ];
  for (const [said, code, part] of cases) {
    const error = assertThrows(() => choose(said), ToolError);
    assertEquals([error.code, error.message.includes(part)], [code, true], error.message);
  }
});

Deno.test("modelProfileOf() fills up what the configuration leaves out", () => {
  assertEquals(modelProfileOf("m", { models: {} }), UNKNOWN_MODEL);
  const models = { m: { context_tokens: 8000, images: false, prices: { input: 2, output: 8 } } };
  assertEquals(modelProfileOf("m", { models }), {
    context_tokens: 8000,
    output_tokens: 2000,
    images: false,
    prices: { input: 2, cached_input: 2, output: 8 },
  });
  assertEquals(modelProfileOf("constructor", { models }), UNKNOWN_MODEL);
});

Deno.test("chooseLimits() takes the command line's word before the configuration's", () => {
  const limits = chooseLimits({ rounds: 5 }, { model: "m", max_rounds: 9, max_seconds: 60, max_cost: 1 });
  assertEquals(limits, { ...AGENT_LIMITS, rounds: 5, seconds: 60, cost: 1 });
  const error = assertThrows(() => checkPrices("m", UNKNOWN_MODEL, limits), ToolError);
  assertEquals(error.code, "configuration");
  checkPrices("m", UNKNOWN_MODEL, AGENT_LIMITS);
});

Deno.test("replayFile() knows the names that stand for recordings", () => {
  assertEquals([replayFile("replay:a:b.jsonl"), replayFile("gpt")], ["a:b.jsonl", null]);
  assertEquals(assertThrows(() => replayFile("replay:"), ToolError).code, "invalid_input");
});
