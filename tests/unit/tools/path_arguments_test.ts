import { assertEquals } from "@std/assert";

import { loaders } from "../../../tools/mod.ts";
import type { ToolDefinition } from "../../../schemas/tool.ts";
import { UNTOLD } from "../../support/run_tool.ts";

/** Arguments that some tools ask for, beside those under test. */
const OTHERS = { command: "view", argv: ["ls"], edits: [], content: "", pattern: "a", patch: "" };

Deno.test("Every argument that a tool touches as a path is marked as one", async () => {
  for (const [name, load] of Object.entries(loaders)) {
    const tool = (await load()).default as ToolDefinition;
    const { shape = {} } = tool.input as unknown as { shape?: Record<string, unknown> };
    const touched = Object.keys(shape).filter((argument) => {
      if (argument === "argv" || argument === "edits") return false;
      const mark = `mark-of-${argument}`;
      try {
        const targets = tool.targets?.({ ...OTHERS, [argument]: mark }, UNTOLD) ?? [];
        return targets.some(({ kind, value }) => ["read", "write"].includes(kind) && value.includes(mark));
      } catch {
        return false;
      }
    });
    assertEquals([...tool.paths ?? []], touched, name);
  }
});
