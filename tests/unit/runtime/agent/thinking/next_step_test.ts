import { assertEquals } from "@std/assert";

import { nextStepForm } from "../../../../../runtime/agent/thinking/next_step.ts";
import { tool } from "../../../../support/agent_scene.ts";

const reasoning = { type: "object", properties: { why: { type: "string" } }, required: ["why"] } as const;

Deno.test("the definitions of tools stand at the root of the form, under names of their own", () => {
  const parameters = {
    type: "object",
    properties: { item: { $ref: "#/$defs/Item" } },
    $defs: { Item: { type: "object", properties: { next: { $ref: "#/$defs/Item" } } } },
  } as const;
  const { schema } = nextStepForm(reasoning, [tool("a", { parameters }), tool("b", { parameters })]);
  assertEquals(Object.keys(schema.$defs as object), ["tool0_Item", "tool1_Item"]);
  assertEquals(JSON.stringify(schema).match(/#\/\$defs\/\w+/g), [
    "#/$defs/tool0_Item",
    "#/$defs/tool1_Item",
    "#/$defs/tool0_Item",
    "#/$defs/tool1_Item",
  ]);
});

Deno.test("one tool stands alone, its name first", () => {
  const { schema } = nextStepForm(reasoning, [tool("a")]);
  assertEquals((schema.properties as Record<string, unknown>).function, {
    description: "Does a",
    type: "object",
    properties: { tool_name_discriminator: { const: "a", type: "string" } },
    required: ["tool_name_discriminator"],
  });
});
