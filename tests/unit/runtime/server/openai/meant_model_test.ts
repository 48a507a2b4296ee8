import { assertEquals, assertThrows } from "@std/assert";

import { ToolError } from "../../../../../schemas/error.ts";
import { toAgentId } from "../../../../../runtime/server/openai/agent_id.ts";
import { meantModel } from "../../../../../runtime/server/openai/meant_model.ts";
import { OFFER } from "../../../../support/server/chat_scene.ts";

Deno.test("a model is an agent, one without tools, a run, or the usual agent by the names of another system", () => {
  const agent = { kind: "agent", isBare: false } as const;
  assertEquals(meantModel(undefined, OFFER), { ...agent, agent: "default", name: "default" });
  assertEquals(meantModel("researcher", OFFER), { ...agent, agent: "researcher", name: "researcher" });
  assertEquals(meantModel("researcher:chat", OFFER), {
    ...{ ...agent, isBare: true, agent: "researcher", name: "researcher:chat" },
  });
  assertEquals(meantModel(toAgentId("run-1"), OFFER), { kind: "run", id: "run-1" });
  assertEquals(meantModel("rh", OFFER), { ...agent, name: "rh" });
  assertEquals(meantModel("RH--vendor/small", OFFER), {
    ...agent,
    model: "vendor/small",
    name: "RH--vendor/small",
  });
});

Deno.test("a model that is not there is refused with those that are", () => {
  for (const name of ["", "gpt", "RH--other", ":chat"]) {
    assertThrows(() => meantModel(name, OFFER), ToolError, "Available: default, researcher, default:chat");
  }
});
