import { z } from "zod";

import type { Operation } from "./operation.ts";
import { Narrowing } from "./run_schemas.ts";

/** Where a call works, and what it does without. */
const CallPlace = {
  workspace: z.string().optional()
    .describe("Absolute path of a folder that is served, or lies in one. Default: the server's."),
  session: z.string().regex(/^[A-Za-z0-9][\w.-]{0,63}$/).optional()
    .describe(
      "Keeps what tools remember between calls under this name. Default: as long as the server keeps it.",
    ),
  grants: Narrowing.optional(),
};

/** One call. */
export const CallBody = z.strictObject({
  arguments: z.record(z.string(), z.unknown()).optional().describe(
    "The arguments of the tool. Default: none.",
  ),
  ...CallPlace,
});

/** Several calls, run as a batch. */
export const BatchBody = z.strictObject({
  calls: z.array(z.record(z.string(), z.unknown())).max(100_000)
    .describe('As lines of a batch: {"id"?, "tool", "arguments"?, "expect"?}.'),
  fail_fast: z.boolean().optional().describe("Stop at the first failure. Default: false."),
  ...CallPlace,
});

/** How a call ended; README.md of `schemas/` says what the fields hold. */
export const CallResult = z.looseObject({
  tool_name: z.string(),
  ok: z.boolean(),
  result: z.unknown(),
  text: z.string(),
  images: z.array(z.unknown()),
  artifacts: z.array(z.unknown()),
  warnings: z.array(z.string()),
  error: z.looseObject({
    code: z.string(),
    message: z.string(),
    retryable: z.boolean(),
    details: z.record(z.string(), z.unknown()),
  }).nullable(),
  metadata: z.looseObject({ duration_ms: z.number() }),
});

/** A tool, as it is offered. */
export const ToolShape = z.object({
  name: z.string(),
  full_name: z.string(),
  description: z.string(),
  input_schema: z.record(z.string(), z.unknown()),
  needs: z.record(z.string(), z.unknown()),
  read_only: z.boolean(),
  parallel: z.boolean(),
});

/** What the server is, and what it lets requests choose. */
export const ServerInfo = z.object({
  version: z.string(),
  workspace: z.string().describe("Where runs and calls work unless they say otherwise."),
  workspaces: z.array(z.string()),
  agent: z.string().describe("Who does runs unless they say otherwise."),
  agents: z.array(z.object({
    name: z.string(),
    description: z.string(),
    kind: z.string(),
    model: z.string().nullable().describe(
      "The one that it asks unless its run says another; null for the server's.",
    ),
  })),
  model: z.string().nullable().describe("The model of runs that name none; null if nobody named one."),
  model_problem: z.string().nullable().describe(
    "Why that model cannot be asked; null if it can, as far as is known.",
  ),
  keys: z.array(z.object({ provider: z.string(), variable: z.string() }))
    .describe("Providers whose keys the server's environment has, by the names of their variables."),
  models: z.array(z.string()).describe("The first is the usual one."),
  policy: z.string(),
  allow: z.record(z.string(), z.unknown()),
  deny: z.record(z.string(), z.unknown()),
  secrets: z.array(z.string()).describe("Paths whose files of secrets may be read."),
  programs: z.object({
    boxed: z.boolean().describe("They run in the sandbox; without one, only those that are named run."),
    net: z.union([z.literal(true), z.literal("host"), z.array(z.string())])
      .describe("Hosts that they reach; host for the network of the server itself."),
  }),
  max_runs: z.int(),
  tools: z.array(z.object({ name: z.string(), full_name: z.string(), description: z.string() })),
});

/** A folder with those in it. */
export const Folders = z.object({
  path: z.string(),
  parent: z.string().nullable().describe("null for a folder that is served itself."),
  folders: z.array(z.object({ name: z.string(), path: z.string() })),
  truncated: z.boolean(),
});

/** Calls of tools, and what the server offers. */
export const CALL_OPERATIONS: readonly Operation[] = [
  {
    ...{ id: "getInfo", method: "GET", path: "/info", tag: "server" },
    summary: "Tells what the server is, and what requests may choose.",
    answer: { description: "The server.", json: ServerInfo },
  },
  {
    ...{ id: "chooseModel", method: "POST", path: "/model", tag: "server" },
    body: z.strictObject({ model: z.string().min(1).describe("As PROVIDER/NAME.") }),
    summary:
      "Asks a model one word, and takes it for runs that name none; only for a server without a model.",
    answer: { description: "The model answers.", json: z.object({ model: z.string() }) },
  },
  {
    ...{ id: "getMetrics", method: "GET", path: "/metrics", tag: "server" },
    summary: "Gives the metrics of the server.",
    answer: { description: "Text in the form of OpenMetrics.", type: "application/openmetrics-text" },
  },
  {
    ...{ id: "listFolders", method: "GET", path: "/folders", tag: "server" },
    query: z.strictObject({ path: z.string().optional() }),
    summary: "Lists the folders in a folder that is served.",
    answer: { description: "The folders.", json: Folders },
  },
  {
    ...{ id: "listTools", method: "GET", path: "/tools", tag: "calls" },
    summary: "Lists the tools with their schemas.",
    answer: { description: "The tools.", json: z.object({ tools: z.array(ToolShape) }) },
  },
  {
    ...{ id: "callTool", method: "POST", path: "/tools/{name+}", tag: "calls", body: CallBody },
    summary: "Runs one call; a call that fails is a result, too.",
    answer: { description: "How the call ended.", json: CallResult },
  },
  {
    ...{ id: "runBatch", method: "POST", path: "/batch", tag: "calls", body: BatchBody },
    summary: "Runs calls, adjacent parallel ones at once, and gives a line of JSON for each, in their order.",
    answer: { description: "A result with the id of its call on each line.", type: "application/x-ndjson" },
  },
];
