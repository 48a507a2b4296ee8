import type { Target } from "../../../schemas/access.ts";
import type { AuditedProgram } from "../../../schemas/audit.ts";
import { ToolError } from "../../../schemas/error.ts";
import type { FileGrants } from "../../../schemas/grants.ts";
import type { ManifestEntry } from "../../../schemas/manifest.ts";
import type { ScriptTool } from "../../../schemas/config.ts";
import { BOUND_WORDS, type ProgramEnd } from "../../../schemas/program.ts";
import type { Artifact, Place } from "../../../schemas/result.ts";
import type { CallFacts, Carrier, CarrierOptions } from "../../calls/catalog/carrier.ts";
import { cancelled, failedResult, toToolError } from "../../calls/failed_result.ts";
import type { NarrowPrograms } from "../../programs/narrow/narrow_programs.ts";
import type { ProgramCall } from "../../programs/process/program_host.ts";
import { mapTexts } from "../../text/map_texts.ts";
import { boundWarnings } from "../../text/bound_warnings.ts";
import { onOneLine, stripControls } from "../../text/strip_controls.ts";
import { realOrNull } from "../../walls/files/file_facts.ts";
import { LONGEST_MS } from "../../wait/longest.ts";
import { checkArtifacts } from "./check_artifacts.ts";
import { logOf, MAX_REPLY_BYTES, readReply } from "./read_reply.ts";
import type { ToolSchemas } from "./script_schemas.ts";
import { wordsOfScript } from "./words_of_script.ts";

/** A script that is ready to be called. */
export interface ReadyScript {
  script: Pick<ScriptTool, "interpreter" | "reply">;
  /** Absolute. */
  path: string;
  schemas: ToolSchemas;
  /** The programs of this script alone, with exactly its walls. */
  programs: Pick<NarrowPrograms, "check" | "run">;
  /** What it may touch, for the files that it says it left. */
  files: FileGrants;
  /** Masks what its program was given and must not come back; `null` if there is nothing. */
  mask: ((text: string) => string) | null;
  /** Longest time of any call, in milliseconds. @default the tool's own */
  maxCallMs?: number | undefined;
}

/** Makes what runs a script: a program that starts with each call, and whose end is the end of the call. */
export function scriptCarrier(ready: ReadyScript): Carrier {
  return {
    startsOwn: true,
    async call(tool, input, options) {
      const end = await runCall(ready, { tool, input, options });
      return ready.mask === null ? end : { ...end, result: mapTexts(end.result, ready.mask) };
    },
    async explain(tool, input, { signal = new AbortController().signal }) {
      const notes = new CallNotes();
      try {
        await readInput(ready, { tool, input, notes });
        notes.facts.targets.push(...targetsOf(ready, tool));
        await ready.programs.check(commandOf(ready), notes.programCall(tool, signal));
        return { ...notes.explained(), error: null };
      } catch (error) {
        return { ...notes.explained(), error: toToolError(error).toInfo() };
      }
    },
  };
}

interface ScriptCall {
  tool: ManifestEntry;
  input: unknown;
  options: CarrierOptions;
}

async function runCall(ready: ReadyScript, { tool, input, options }: ScriptCall) {
  const started = performance.now();
  const notes = new CallNotes(options);
  const duration = () => Math.round(performance.now() - started);
  try {
    const value = await readInput(ready, { tool, input, notes });
    notes.facts.targets.push(...targetsOf(ready, tool));
    const end = await runBounded(ready, { tool, value, options, notes });
    const { result, failure, artifacts, warnings } = readReply(end, {
      name: tool.full_name,
      reply: ready.script.reply,
    });
    notes.warnings.push(...boundWarnings(warnings));
    if (failure !== null) {
      await keepArtifacts(ready, artifacts, { tool, notes });
      throw failure;
    }
    notes.artifacts.push(...await checkArtifacts(tool.full_name, artifacts, ready.files));
    await ready.schemas.checkOutput(result);
    const text = typeof result === "string" ? result : JSON.stringify(result);
    const shown = { tool_name: tool.full_name, ok: true, result, text: stripControls(text), images: [] };
    return {
      result: {
        ...{ ...shown, artifacts: notes.artifacts, warnings: notes.warnings },
        ...{ error: null, metadata: { duration_ms: duration(), place: notes.place } },
      },
      facts: notes.facts,
    };
  } catch (error) {
    const why = options.signal?.aborted ? cancelled(options.signal.reason) : toToolError(error);
    const failure = failedResult(tool, why.toInfo(), { durationMs: duration(), place: notes.place });
    return {
      result: { ...failure, warnings: notes.warnings, artifacts: notes.artifacts },
      facts: notes.facts,
    };
  }
}

/** Why a call failed counts more than a file of it that is not there. */
async function keepArtifacts(
  { files }: ReadyScript,
  paths: readonly string[],
  { tool, notes }: { tool: ManifestEntry; notes: CallNotes },
): Promise<void> {
  try {
    notes.artifacts.push(...await checkArtifacts(tool.full_name, paths, files));
  } catch (error) {
    notes.warnings.push(toToolError(error).message);
  }
}

/** The caller's slips are repaired as for all tools, then the script's own schema decides. */
async function readInput(
  { schemas, path }: ReadyScript,
  { tool, input, notes }: { tool: ManifestEntry; input: unknown; notes: CallNotes },
): Promise<unknown> {
  const { repairInput } = await import("../../../schemas/json/repair.ts");
  const { value, warnings } = repairInput(tool.input_schema, input ?? {}, { isOpen: true });
  notes.warnings.push(...warnings);
  await schemas.checkInput(value);
  requireScript(path, tool);
  return value;
}

/** It may have come after its tool was loaded, or gone. */
function requireScript(path: string, { full_name }: ManifestEntry): void {
  if (realOrNull(path) !== null) return;
  throw new ToolError("not_found", `Cannot run ${full_name}: there is no file "${path}"; correct its path`, {
    details: { path },
  });
}

function commandOf({ script, path }: ReadyScript): { argv: string[] } {
  return { argv: wordsOfScript(script, path) };
}

/** What a person is shown before they agree. */
function targetsOf(ready: ReadyScript, { needs: { read, write, net } }: ManifestEntry): Target[] {
  const command = commandOf(ready);
  return [
    { kind: "run", value: command.argv[0]!, command },
    ...(read === undefined ? [] : [{ kind: "read" as const, value: "." }]),
    ...(write === undefined ? [] : [{ kind: "write" as const, value: "." }]),
    ...(Array.isArray(net) ? net.map((value) => ({ kind: "net" as const, value })) : []),
  ];
}

interface Running {
  tool: ManifestEntry;
  value: unknown;
  options: CarrierOptions;
  notes: CallNotes;
}

async function runBounded(ready: ReadyScript, { tool, value, options, notes }: Running): Promise<ProgramEnd> {
  const { signal } = options;
  if (signal?.aborted) throw cancelled(signal.reason);
  const timeoutMs = Math.min(tool.limits.timeout_ms ?? LONGEST_MS, ready.maxCallMs ?? LONGEST_MS);
  const ended = new AbortController();
  const onAbort = () => ended.abort(cancelled(signal?.reason));
  signal?.addEventListener("abort", onAbort, { once: true });
  const timer = setTimeout(() => ended.abort(tooLong(tool, timeoutMs)), timeoutMs);
  const command = commandOf(ready);
  const { id = null } = options.request ?? {};
  try {
    const end = await ready.programs.run({
      ...command,
      stdin: `${JSON.stringify(value)}\n`,
      env: {
        BULKHEAD_TOOL: tool.full_name,
        BULKHEAD_DEADLINE: String(Date.now() + timeoutMs),
        ...(id !== null && { BULKHEAD_REQUEST_ID: id }),
      },
      maxBytes: MAX_REPLY_BYTES,
      maxLines: Number.MAX_SAFE_INTEGER,
      verbatim: true,
    }, notes.programCall(tool, ended.signal));
    const log = logOf(end.stderr);
    if (end.reason === "timeout") throw tooLong(tool, timeoutMs, log);
    if (end.reason === "cancelled") throw cancelled(signal?.reason);
    if (end.reason !== "exited") {
      throw new ToolError("limit_exceeded", `${tool.full_name} was ended: ${BOUND_WORDS[end.reason]}`, {
        details: { reason: end.reason },
      });
    }
    return end;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", onAbort);
  }
}

function tooLong({ full_name }: ManifestEntry, timeoutMs: number, log = ""): ToolError {
  const said = log === "" ? "" : `, and had written to stderr: ${log}`;
  return new ToolError("timeout", `${full_name} was stopped: it took longer than ${timeoutMs} ms${said}`, {
    details: { timeout_ms: timeoutMs, ...(log !== "" && { stderr: log }) },
  });
}

/** What becomes known during a call. */
class CallNotes {
  readonly facts: CallFacts = { targets: [], analyses: [], programs: [], connections: [] };
  readonly warnings: string[] = [];
  readonly artifacts: Artifact[] = [];
  readonly #options: CarrierOptions;

  constructor(options: CarrierOptions = {}) {
    this.#options = options;
  }

  /** Where its program ran. */
  get place(): Place {
    const [first] = this.facts.programs;
    if (first === undefined) return "none";
    return first.boxed ? first.wall ?? "sandbox" : "process";
  }

  explained() {
    const { targets, analyses } = this.facts;
    return { targets, analyses, warnings: this.warnings, preview: null };
  }

  programCall({ toolset, interprets }: ManifestEntry, signal: AbortSignal): ProgramCall {
    const { onProgram } = this.#options;
    return {
      ...{ toolset, interprets, signal, isNamed: true },
      onAnalysis: (analysis) => void this.facts.analyses.push(analysis),
      onProgram: (program: AuditedProgram) => void this.facts.programs.push(program),
      onConnections: (connections) => void this.facts.connections.push(...connections),
      ...(onProgram && { onEvent: onProgram }),
      onArtifact: (artifact) => void this.artifacts.push(artifact),
      warn: (message) => void this.warnings.push(onOneLine(message)),
    };
  }
}
