import { assert } from "@std/assert";
import * as z from "zod";

import type { Files, ToolContext } from "../../../../schemas/context.ts";
import { defineTool } from "../../../../schemas/own/define_tool.ts";
import type { HereContext } from "../../../../schemas/own/here_tool.ts";

/** Holds for types that are the same; checked by the compiler alone. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends (<T>() => T extends B ? 1 : 2) ? true : false;
const holds = <T extends true>(_: T | undefined = undefined): void => {};

Deno.test("defineTool() types arguments by the schema, and the context by the needs", () => {
  const input = z.object({ path: z.string(), most: z.int().default(3) });
  const definition = {
    name: "peek",
    description: "Peek.",
    run: () => "",
  };
  assert(Object.is(defineTool(definition), definition));
  defineTool({
    name: "peek",
    description: "Peek.",
    input,
    output: z.number(),
    needs: { read: "workspace" },
    targets({ path }) {
      holds<Same<typeof path, string>>();
      return [{ kind: "read", value: path }];
    },
    async run({ path, most }, context) {
      holds<Same<typeof path, string>>();
      holds<Same<typeof most, number>>();
      holds<Same<typeof context, ToolContext>>();
      holds<Same<typeof context.files, Files>>();
      await context.files.locate(path, "read");
      return most;
    },
    text(output) {
      holds<Same<typeof output, number>>();
      return `${output}`;
    },
  });
  defineTool({
    name: "add",
    description: "Add.",
    input,
    run({ most }, context) {
      holds<Same<typeof most, number>>();
      holds<Same<typeof context, HereContext>>();
      return most;
    },
  });
  // @ts-expect-error a result that the schema does not allow
  defineTool({ name: "n", description: "N.", needs: {}, output: z.number(), run: () => "text" });
  // @ts-expect-error a field that is not known
  defineTool({ name: "n", description: "N.", permision: "allow", run: () => 1 });
});
