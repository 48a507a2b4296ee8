import { assertEquals, assertThrows } from "@std/assert";

import { ToolError } from "../../../../schemas/error.ts";
import { toAgentId } from "../../../../runtime/server/openai/agent_id.ts";
import { chooseModel } from "../../../../runtime/server/openai/choose_model.ts";
import { OFFER } from "../../../support/server/chat_scene.ts";

Deno.test("a model is an agent, one without tools, a run, or the usual agent by the names of another system", () => {
  const agent = { kind: "agent", isBare: false } as const;
  assertEquals(chooseModel(undefined, OFFER), { ...agent, agent: "default", name: "default" });
  assertEquals(chooseModel("researcher", OFFER), { ...agent, agent: "researcher", name: "researcher" });
  assertEquals(chooseModel("researcher:chat", OFFER), {
    ...{ ...agent, isBare: true, agent: "researcher", name: "researcher:chat" },
  });
  assertEquals(chooseModel(toAgentId("run-1"), OFFER), { kind: "run", id: "run-1" });
  assertEquals(chooseModel("rh", OFFER), { ...agent, name: "rh" });
  assertEquals(chooseModel("RH--vendor/small", OFFER), {
    ...agent,
    model: "vendor/small",
    name: "RH--vendor/small",
  });
});

Deno.test("a model that is not there is refused with those that are", () => {
  for (const name of ["", "gpt", "RH--other", ":chat"]) {
    assertThrows(() => chooseModel(name, OFFER), ToolError, "Available: default, researcher, default:chat");
  }
});
