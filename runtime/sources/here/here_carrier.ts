import type { HereContext, HereTool } from "../../../schemas/own/here_tool.ts";
import { plainResult, requireText } from "../../../schemas/own/plain_result.ts";
import { thrownError } from "../../../schemas/own/thrown_error.ts";
import { ToolError } from "../../../schemas/error.ts";
import { isStandardSchema, problemsOf } from "../../../schemas/json/standard_schema.ts";
import type { ManifestEntry } from "../../../schemas/manifest.ts";
import type { ToolResult } from "../../../schemas/result.ts";
import type { CallFacts, Carrier, CarrierOptions } from "../../calls/catalog/carrier.ts";
import { cancelled, failedResult, toToolError } from "../../calls/failed_result.ts";
import type { Machine } from "../../calls/machine.ts";
import { stripControls } from "../../text/strip_controls.ts";
import type { HereSchemas } from "./here_schemas.ts";
import { validateBy } from "../../../schemas/own/validate_by.ts";

/** What only a tool in a room has. */
const IN_ROOMS = [
  ...["files", "home", "session", "programs", "artifacts", "documents", "web", "keys", "ask", "attach"],
  ...["settings", "toolName", "bytes", "threads"],
];

const NO_FACTS: CallFacts = { targets: [], analyses: [], programs: [], connections: [] };

/**
 * Makes what runs a function of the embedding program, in that program's own process.
 *
 * @param schemas Checks of JSON Schemas; they belong to the caller
 */
export function hereCarrier(
  given: HereTool,
  { grants: { workspace }, maxCallMs }: Machine,
  schemas: HereSchemas,
): Carrier {
  const timeOf = ({ limits: { timeout_ms } }: ManifestEntry) => {
    const both = [timeout_ms, maxCallMs].filter((ms) => typeof ms === "number");
    return both.length === 0 ? null : Math.min(...both);
  };
  return {
    async call(tool, input, options) {
      const started = performance.now();
      const warnings: string[] = [];
      const duration = () => Math.round(performance.now() - started);
      try {
        const value = await readInput(given, tool, { input, warnings, schemas });
        const result = await bounded(given, tool, {
          ...{ value, options, workspace, warnings, schemas },
          timeoutMs: timeOf(tool),
        });
        return {
          result: { ...result, metadata: { duration_ms: duration(), place: "here" } },
          facts: NO_FACTS,
        };
      } catch (error) {
        const info = asToolError(error).toInfo();
        const failure = failedResult(tool, info, { durationMs: duration(), place: "here" });
        return { result: { ...failure, warnings }, facts: NO_FACTS };
      }
    },
    async explain(tool, input) {
      const warnings: string[] = [];
      try {
        await readInput(given, tool, { input, warnings, schemas });
        return { targets: [], analyses: [], warnings, preview: null, error: null };
      } catch (error) {
        const failure = asToolError(error).toInfo();
        return { targets: [], analyses: [], warnings, preview: null, error: failure };
      }
    },
  };
}

/** The caller's slips are repaired as for all tools, then the tool's own schema decides. */
async function readInput(
  { input: schema }: HereTool,
  tool: ManifestEntry,
  { input, warnings, schemas }: { input: unknown; warnings: string[]; schemas: HereSchemas },
): Promise<unknown> {
  const { describeMismatch, repairInput } = await import("../../../schemas/json/repair.ts");
  const repaired = repairInput(tool.input_schema, input ?? {}, { isOpen: tool.open_input === true });
  warnings.push(...repaired.warnings);
  const problems = describeMismatch(tool.input_schema, repaired.value);
  if (problems.length > 0) throw new ToolError("invalid_input", problems.join("; "));
  if (schema === undefined) return repaired.value;
  return await checked(schema, repaired.value, { tool, code: "invalid_input", schemas });
}

async function checked(
  schema: NonNullable<HereTool["input"]>,
  value: unknown,
  { tool, code, schemas }: {
    tool: ManifestEntry;
    code: "invalid_input" | "output_invalid";
    schemas: HereSchemas;
  },
): Promise<unknown> {
  if (isStandardSchema(schema)) {
    const answer = await validateBy(schema, value);
    if (answer.issues === undefined) return answer.value;
    throw mismatch(tool, code, problemsOf(answer.issues));
  }
  const name = `${code === "invalid_input" ? "input" : "output"} of ${tool.full_name}`;
  const problems = await schemas.check(schema, name, value);
  if (problems.length > 0) throw mismatch(tool, code, problems);
  return value;
}

/** A caller sees its own arguments; whose result is wrong must be said. */
function mismatch(
  { full_name }: ManifestEntry,
  code: "invalid_input" | "output_invalid",
  problems: readonly string[],
): ToolError {
  const lead = code === "output_invalid" ? `${full_name} gave an invalid result: ` : "";
  return new ToolError(code, `${lead}${problems.join("; ")}`);
}

interface Running {
  value: unknown;
  options: CarrierOptions;
  workspace: string;
  warnings: string[];
  schemas: HereSchemas;
  /** `null`: it takes its time. */
  timeoutMs: number | null;
}

/** The call ends in its time; a function that goes on all the same cannot be stopped here. */
async function bounded(
  given: HereTool,
  tool: ManifestEntry,
  { value, options, workspace, warnings, schemas, timeoutMs }: Running,
): Promise<Omit<ToolResult, "metadata">> {
  const ended = new AbortController();
  const end = Promise.withResolvers<never>();
  end.promise.catch(() => {});
  ended.signal.addEventListener("abort", () => end.reject(ended.signal.reason), { once: true });
  const onAbort = () => ended.abort(cancelled(options.signal?.reason));
  if (options.signal?.aborted) onAbort();
  options.signal?.addEventListener("abort", onAbort, { once: true });
  const timer = timeoutMs === null
    ? undefined
    : setTimeout(() => ended.abort(tooLong(tool, timeoutMs)), timeoutMs);
  const context: HereContext = {
    workspace,
    signal: ended.signal,
    deadline: timeoutMs === null ? Infinity : Date.now() + timeoutMs,
    modelName: options.model ?? null,
    requestId: options.request?.id ?? null,
    dependencies: options.request?.dependencies ?? {},
    progress: (progress) => options.onProgress?.(progress),
    warn: (message) => void warnings.push(stripControls(message)),
  };
  for (const name of IN_ROOMS) Object.defineProperty(context, name, { get: () => notHere(name) });
  try {
    ended.signal.throwIfAborted();
    const run = async () => {
      const raw = await given.run(value, context);
      return given.output === undefined
        ? raw
        : await checked(given.output, raw, { tool, code: "output_invalid", schemas });
    };
    const result = plainResult(await Promise.race([run(), end.promise]), tool.full_name);
    const text = given.text
      ? requireText(given.text(result))
      : typeof result === "string"
      ? result
      : JSON.stringify(result);
    return {
      ...{
        tool_name: tool.full_name,
        ok: true,
        result,
        text: stripControls(text),
        images: [],
        artifacts: [],
      },
      ...{ warnings, error: null },
    };
  } finally {
    clearTimeout(timer);
    options.signal?.removeEventListener("abort", onAbort);
  }
}

function notHere(name: string): never {
  throw new ToolError(
    "permission_denied",
    `context.${name} is for tools in rooms, and this one runs in the program's own process: give it as a file to have it`,
  );
}

function tooLong({ full_name }: ManifestEntry, timeoutMs: number): ToolError {
  return new ToolError("timeout", `${full_name} was given up: it took longer than ${timeoutMs} ms`, {
    details: { timeout_ms: timeoutMs },
  });
}

/** What a function of the embedder throws by itself is worded as that of a tool in a room. */
function asToolError(error: unknown): ToolError {
  return error instanceof Deno.errors.NotCapable ? toToolError(error) : thrownError(error);
}
