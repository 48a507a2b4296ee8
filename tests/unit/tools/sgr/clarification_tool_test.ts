import { assertEquals } from "@std/assert";

import clarification from "../../../../tools/sgr/clarification_tool.ts";
import { workspace } from "../../../support/run_tool.ts";

Deno.test("clarification_tool gives the questions, a line each", async () => {
  using ws = workspace();
  const { text, result } = await ws.run(clarification, {
    reasoning: "two firms",
    unclear_terms: ["Acme"],
    assumptions: ["the maker", "the shop"],
    questions: ["Which Acme?", "Since when?"],
  });
  assertEquals([text, result], ["Which Acme?\nSince when?", "Which Acme?\nSince when?"]);
});
