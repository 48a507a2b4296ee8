import { z } from "zod";

/** What a request may take away from what the server was started with; nothing can be added. */
export const Narrowing = z.strictObject({
  policy: z.enum(["read-only", "read-only-no-net"]).optional()
    .describe("A stricter policy. Default: the server's."),
  tools: z.array(z.string()).optional().describe("Of the tools, only these. Default: all of the agent's."),
  deny_read: z.array(z.string()).optional().describe("Paths that may not be read."),
  deny_write: z.union([z.literal(true), z.array(z.string())]).optional()
    .describe("Paths that may not be written; true for all."),
  deny_net: z.union([z.literal(true), z.array(z.string())]).optional()
    .describe("Hosts that may not be reached; true for all."),
  deny_run: z.union([z.literal(true), z.array(z.string())]).optional()
    .describe("Programs that may not be started; true for all."),
});

/** A picture in the request itself. */
export const PictureInput = z.strictObject({
  name: z.string().optional().describe("Its file name."),
  data_url: z.string().describe("data:image/png;base64,… with PNG, JPEG, WebP or GIF, at most 25 MiB."),
});

/** Starts a run. */
export const StartRun = z.strictObject({
  prompt: z.string().min(1).describe("What to do."),
  agent: z.string().optional().describe("Name of an agent. Default: the server's."),
  model: z.string().optional().describe("One of the models that the server lists. Default: the agent's."),
  workspace: z.string().optional()
    .describe("Absolute path of a folder that is served, or lies in one. Default: the server's."),
  images: z.array(PictureInput).max(12).optional(),
  grants: Narrowing.optional(),
  limits: z.strictObject({
    rounds: z.int().positive().optional(),
    seconds: z.number().positive().optional(),
    tokens: z.int().positive().optional(),
    cost: z.number().positive().optional(),
  }).optional().describe("Smaller limits than the server's."),
  output_schema: z.record(z.string(), z.unknown()).optional().describe("The answer is JSON of this schema."),
  ask: z.boolean().optional()
    .describe(
      "Questions and consents wait for POST /runs/{id}/answer. Default: true; false refuses and goes on.",
    ),
});

/** How a run stands. */
export const RunStatus = z.enum([
  "queued", // waits for its turn
  "running",
  "waiting", // for an answer to a question, or for a consent
  "interrupted", // the server ended, or somebody stopped it: it can be resumed
  "completed",
  "failed",
]);

/** What a person is asked. */
export const Question = z.object({
  id: z.string(),
  kind: z.enum(["question", "consent"]),
  text: z.string().describe("What is asked."),
  tool: z.string().nullable().describe("Full name of the tool that asks, or that needs consent."),
  input: z.unknown().optional().describe("The arguments of the call that needs consent."),
  change: z.string().nullable().optional().describe(
    "The change of a file that the call would make, as a diff.",
  ),
  targets: z.array(z.unknown()).optional().describe(
    "The paths, hosts and programs that the call would touch.",
  ),
  always: z.string().nullable().optional()
    .describe('What the answer "run" would cover, in words; null if the answer can only be for this call.'),
  until: z.string().optional().describe("When a consent counts as refused without an answer, ISO 8601."),
});

/** What a run used, with all that it went on with here. */
export const RunUsage = z.object({
  rounds: z.int().describe("Replies of the model to turns of the task."),
  calls: z.int().describe("Tool calls."),
  failed: z.int().describe("Calls that failed."),
  input_tokens: z.int(),
  cached_tokens: z.int().describe("Part of the input that came from the provider's cache."),
  output_tokens: z.int(),
  cost: z.number().nullable().describe("Dollars; null if neither the provider nor the configuration says."),
  estimated: z.boolean().describe("Some tokens are estimated: the provider did not count."),
});

/** A run, as a list shows it. */
export const RunInfo = z.object({
  id: z.string(),
  state: RunStatus,
  task: z.string().describe("The first thing that was asked for, cut after 200 characters."),
  agent: z.string().nullable(),
  model: z.string().nullable(),
  workspace: z.string(),
  created: z.string().describe("ISO 8601."),
  updated: z.string().describe("ISO 8601."),
  seconds: z.number().nullable().describe(
    "How long it took; null while it is at work, and if it was gone on with.",
  ),
  changed: z.int().nullable().describe("Files that its last part changed; null if that is not known."),
  termination_reason: z.string().nullable(),
  events: z.int().describe("Number of the last event; 0 without one."),
  policy: z.string().nullable().describe("The policy that held last; null before its first run has begun."),
  grants: Narrowing.nullable().describe("What its request did without; null for nothing."),
  usage: RunUsage.nullable().describe("What it used so far; null if that is not known."),
});

/** A run with its end. */
export const RunDetail = RunInfo.extend({
  answer: z.string().nullable(),
  output: z.unknown().optional().describe("The answer as JSON, if the run had a schema for it."),
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
  questions: z.array(Question).describe("What waits for an answer."),
  can: z.object({ resume: z.boolean(), undo: z.boolean(), cancel: z.boolean(), answer: z.boolean() }),
});

/** The runs of this server's folders. */
export const RunList = z.object({ runs: z.array(RunInfo), next: z.string().nullable() });

/** Which runs a list has. */
export const RunQuery = z.strictObject({
  search: z.string().optional().describe("Words that the task, the model or the workspace has."),
  state: RunStatus.optional(),
  limit: z.coerce.number().int().min(1).max(200).optional().describe("Default: 50."),
  before: z.string().optional().describe("The value of `next` of the list before."),
});

/** An answer to a question, or a consent. */
export const AnswerRun = z.strictObject({
  question: z.string().optional().describe("Id of the question. Default: the only one that waits."),
  answer: z.string().optional().describe("The answer to a question."),
  consent: z.enum(["once", "run", "no"]).optional().describe("The answer to a consent."),
  reason: z.string().optional().describe("Why not, for the model."),
});

/** Goes on with a run that ended. */
export const ResumeRun = z.strictObject({
  prompt: z.string().optional().describe("What to do next. Default: go on where it stopped."),
  images: z.array(PictureInput).max(12).optional(),
});

/** The files that a run changed, and those that it left with the session. */
export const RunFiles = z.object({
  changed: z.array(z.object({
    path: z.string(),
    status: z.enum(["added", "modified", "deleted"]),
    added: z.int().nullable(),
    removed: z.int().nullable(),
  })),
  artifacts: z.array(z.object({ name: z.string(), type: z.string(), bytes: z.int() })),
  waits: z.boolean().optional().describe(
    "The changes are in a copy of the workspace, until somebody brings them in with bulkhead apply ID.",
  ),
});

/** Which content of a changed file is meant. */
export const ChangedQuery = z.strictObject({
  side: z.enum(["before", "after"]).optional()
    .describe("As it was before the run, or as it is now. Default: after."),
});

/** What was put back. */
export const UndoResult = z.object({
  done: z.array(z.object({ path: z.string(), action: z.string() })),
  refused: z.array(z.object({ path: z.string(), reason: z.string() })),
  warnings: z.array(z.string()).describe("What belongs to another user or group now than it did."),
});

/** The sources of a run, by the numbers under which reports cite them. */
export const RunSources = z.object({
  sources: z.array(z.object({
    number: z.int(),
    title: z.string(),
    url: z.string(),
    snippet: z.string().describe("What a search showed of it."),
    chars: z.int().describe("Characters of its content that are kept; 0 if it was not opened."),
    found: z.string().nullable().describe("ISO 8601; null if it is not known."),
    opened: z.string().nullable(),
  })),
});
