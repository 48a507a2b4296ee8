import { assertEquals } from "@std/assert";

import { sgrVariables } from "../../../../../../runtime/agent/definitions/upstream/sgr_variables.ts";

Deno.test("sgrVariables() reads sections of any case, and leaves out what is no field of one", () => {
  const env = {
    SGR__LLM__API_KEY: "k",
    sgr__llm__model: "m",
    SGR__EXECUTION__MAX_ITERATIONS: "12",
    SGR__LLM: "x",
    SGR____MODEL: "x",
    SGR__TOOLS__A: "x",
    SGR__TOOLS__A__B__C: "x",
    SGR__SEARCH__ENGINE: "",
    SGR_LLM__MODEL: "x",
    PATH: "/bin",
  };
  assertEquals(sgrVariables(env), { llm: { api_key: "k", model: "m" }, execution: { max_iterations: "12" } });
  assertEquals(sgrVariables({ SGR__TOOLS__WEB_SEARCH_TOOL__ENGINE: "brave", SGR__TOOLS__A__B: "1" }), {
    tools: { web_search_tool: { engine: "brave" }, a: { b: "1" } },
  });
  assertEquals(Object.keys(sgrVariables({ SGR____PROTO____X: "1" })), []);
});
