import * as z from "zod";

import { toSchema } from "../../runtime/rooms/inside/to_schema.ts";

import type { Carrier } from "../../runtime/calls/catalog/carrier.ts";
import type { Catalog } from "../../runtime/calls/catalog/catalog.ts";
import type { JsonSchema, ManifestEntry } from "../../schemas/manifest.ts";

export function schemaOf(type: z.ZodType, io: "input" | "output" = "input"): JsonSchema {
  return JSON.parse(JSON.stringify(toSchema(type, io)));
}

/** An entry of the manifest for a made-up tool that reads and takes nothing, with changes. */
export function entryOf(fullName: string, changes: Partial<ManifestEntry> = {}): ManifestEntry {
  const [toolset = "", name = ""] = fullName.split("/");
  return {
    full_name: fullName,
    toolset,
    name,
    description: "Does it.",
    description_start: changes.description ?? "Does it.",
    see_also: [],
    error_lead: `[${name}] `,
    needs: { read: "workspace" },
    read_only: true,
    parallel: true,
    killable: false,
    threads: 0,
    optional: false,
    leaves_files: false,
    asks: false,
    asks_model: false,
    interprets: false,
    ends_run: null,
    settings: [],
    secrets: [],
    outside: false,
    limits: { timeout_ms: 1000, concurrency: null },
    permission: "allow",
    trial: null,
    examples: [],
    prompt_hints: [],
    reads_on: null,
    paths: [],
    typed_argument: null,
    input_schema: schemaOf(z.object({})),
    output_schema: {},
    ...changes,
  };
}

/** A catalog of made-up tools, whose calls are never made; the default set is `harness`. */
export function catalogOf(...tools: ManifestEntry[]): Catalog {
  const unused = () => Promise.reject(new Error("no call is expected"));
  const carrier: Carrier = { call: unused, explain: unused };
  return { entries: tools.map((tool) => ({ tool, carrier })), defaultToolset: "harness" };
}

/** Tools whose bare names are alone, shared with the default set, or shared among other sets; one is optional. */
export const NAME_CATALOG: Catalog = catalogOf(
  entryOf("harness/Read"),
  entryOf("harness/edit_all"),
  entryOf("harness/editor", { optional: true }),
  entryOf("par/read"),
  entryOf("par/edit_all"),
  entryOf("par/bash"),
  entryOf("manus/bash"),
);
