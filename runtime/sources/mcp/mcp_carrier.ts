import type { Target } from "../../../schemas/access.ts";
import { ToolError } from "../../../schemas/error.ts";
import { isObject } from "../../../schemas/json/shape.ts";
import type { ManifestEntry } from "../../../schemas/manifest.ts";
import type { ToolResult } from "../../../schemas/result.ts";
import type { CallFacts, Carrier, CarrierOptions } from "../../calls/catalog/carrier.ts";
import { failedResult, toToolError } from "../../calls/failed_result.ts";
import type { SchemaChecker, TakenSchema } from "../../calls/json_schema/schema_checker.ts";
import { mapTexts } from "../../text/map_texts.ts";
import { plural } from "../../text/plural.ts";
import { markBlock, OUTSIDE_MARK } from "../../text/mark_block.ts";
import { LONGEST_MS } from "../../wait/longest.ts";
import { CallTime } from "./client/call_time.ts";
import type { ServerSession } from "./client/server_session.ts";
import { cutText } from "./tools/cut_text.ts";
import type { McpAction } from "./tools/list_actions.ts";
import type { ReadResult } from "./tools/read_result.ts";

/** What calls of a server's tools share. */
export interface CarrierParts {
  session: ServerSession;
  checker: SchemaChecker;
  /** Where the server stands. */
  place: ToolResult["metadata"]["place"];
  /** Masks the secrets that the server was given; `null` if it was given none. */
  mask: ((text: string) => string) | null;
  /** Most characters of a result's text. @default no other bound than that of all results */
  contextLimit: number | undefined;
  /** Longest time of any call, in milliseconds. @default the tool's own */
  maxCallMs: number | undefined;
}

const NO_TARGETS: Target[] = [];

/** Makes what runs the calls of one tool of a server. */
export function mcpCarrier(action: McpAction, parts: CarrierParts): Carrier {
  const schemas = new Map<string, Promise<TakenSchema>>();
  const calling = { action, parts, schemas };
  return {
    startsOwn: true,
    async call(tool, input, options) {
      const started = performance.now();
      const warnings: string[] = [];
      const facts = async (): Promise<CallFacts> => ({
        ...{ targets: [], analyses: [], programs: [] },
        // A gate that has failed does not cost the result.
        connections: [...await parts.session.connections().catch(() => [])],
      });
      const durationMs = () => Math.round(performance.now() - started);
      try {
        const result = await runCall({ ...calling, tool, input, options, warnings });
        return {
          result: { ...result, metadata: { duration_ms: durationMs(), place: parts.place } },
          facts: await facts(),
        };
      } catch (error) {
        const info = masked(toToolError(error).toInfo(), parts);
        const failure = failedResult(tool, info, { durationMs: durationMs(), place: parts.place });
        return { result: { ...failure, warnings }, facts: await facts() };
      }
    },
    async explain(tool, input) {
      const warnings: string[] = [];
      const about = { targets: NO_TARGETS, analyses: [], warnings, preview: null };
      try {
        await readInput({ ...calling, tool, input, warnings });
        return { ...about, error: null };
      } catch (error) {
        return { ...about, error: toToolError(error).toInfo() };
      }
    },
  };
}

/** One call on its way. */
interface Call {
  action: McpAction;
  parts: CarrierParts;
  schemas: Map<string, Promise<TakenSchema>>;
  tool: ManifestEntry;
  input: unknown;
  options: CarrierOptions;
  warnings: string[];
}

async function runCall(call: Call): Promise<Omit<ToolResult, "metadata">> {
  const { action, parts, tool, options, warnings } = call;
  const input = await readInput(call);
  const { signal = new AbortController().signal, onProgress, onQuestion } = options;
  const longestMs = Math.min(tool.limits.timeout_ms ?? LONGEST_MS, parts.maxCallMs ?? LONGEST_MS);
  const time = new CallTime(longestMs);
  const answers: unknown[] = [];
  for (const ask of action.asks(input)) {
    answers.push(
      await parts.session.ask(ask, {
        signal,
        time,
        onQuestion,
        onProgress: onProgress && ((progress) => onProgress(masked(progress, parts))),
      }),
    );
  }
  const read = masked(action.read(answers), parts);
  warnings.push(...read.warnings);
  const said = read.isError ? whyOf(read) : read.text;
  const text = textOf(said, { tool, limit: parts.contextLimit });
  const { images, audio, resources } = read;
  const media = { images, ...audio.length > 0 && { audio }, ...resources.length > 0 && { resources } };
  const about = { tool_name: tool.full_name, text, ...media, artifacts: [], warnings };
  if (read.isError) {
    const error = new ToolError("external_failure", cutText(said, 2_000), {
      retryable: false,
      details: { is_error: true },
    });
    return { ...about, ok: false, result: null, error: error.toInfo() };
  }
  await checkOutput(read.structured, call);
  return { ...about, ok: true, result: read.structured ?? read.text, error: null };
}

function masked<T>(data: T, { mask }: CarrierParts): T {
  return mask === null ? data : mapTexts(data, mask);
}

/** A failure without a word must not look like a success: neither the model nor a person sees more than the text. */
function whyOf({ text, images, audio, resources }: ReadResult): string {
  if (text.trim() !== "" && !/^(?:\{\}|\[\]|null|"")$/.test(text.trim())) return text;
  const parts = images.length + audio.length + resources.length;
  return `the call failed, and the server did not say why${
    parts === 0 ? "" : `: it sent ${plural(parts, "part")} without words`
  }`;
}

/** The mark says that strangers wrote it. */
function textOf(text: string, { tool, limit }: { tool: ManifestEntry; limit: number | undefined }): string {
  const short = limit === undefined ? text : cutText(text, limit);
  return tool.outside ? markBlock(OUTSIDE_MARK, short, { tool: tool.full_name }) : short;
}

/** The caller's slips are repaired as for all tools, then the server's own schema decides. */
async function readInput(
  { tool, input, warnings, ...call }: Omit<Call, "options">,
): Promise<Record<string, unknown>> {
  const { repairInput } = await import("../../../schemas/json/repair.ts");
  const { value, warnings: repairs } = repairInput(tool.input_schema, input ?? {}, { isOpen: true });
  warnings.push(...repairs);
  if (!isObject(value)) throw new ToolError("invalid_input", "the arguments must be an object");
  const schema = await take("input", { ...call, tool, warnings });
  const verdict = await schema?.check(value);
  if (verdict && verdict.problems.length > 0) throw new ToolError("invalid_input", problemsOf(verdict));
  return value;
}

async function checkOutput(value: unknown, call: Call): Promise<void> {
  const { action, tool } = call;
  if (!action.isTyped) return;
  const refuse = (why: string) =>
    new ToolError("output_invalid", `the result is not what ${tool.full_name} says of its results: ${why}`);
  if (value === undefined) throw refuse("it has no structured content");
  const schema = await take("output", call);
  const verdict = await schema?.check(value);
  if (verdict && verdict.problems.length > 0) throw refuse(problemsOf(verdict));
}

/** A schema that cannot be used checks nothing: the server itself may still understand it. */
async function take(
  io: "input" | "output",
  { parts, schemas, tool, warnings }: Pick<Call, "parts" | "schemas" | "tool" | "warnings">,
): Promise<TakenSchema | null> {
  const name = `${io} of ${tool.full_name}`;
  let taken = schemas.get(io);
  if (taken === undefined) {
    taken = parts.checker.take(io === "input" ? tool.input_schema : tool.output_schema, { name });
    schemas.set(io, taken);
  }
  try {
    return await taken;
  } catch (error) {
    if (!(error instanceof ToolError) || error.code !== "invalid_input") throw error;
    warnings.push(`the ${io} was not checked: ${error.message}`);
    return null;
  }
}

function problemsOf({ problems, left }: Awaited<ReturnType<TakenSchema["check"]>>): string {
  const more = left > 0 ? [`and ${left} more`] : [];
  return [...problems.map(({ pointer, message }) => `${pointer}: ${message}`), ...more].join("; ");
}
