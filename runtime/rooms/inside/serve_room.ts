import * as z from "zod";

import type { Target } from "../../../schemas/access.ts";
import type { FileChange, ToolContext, Web } from "../../../schemas/context.ts";
import { type ErrorInfo, ToolError } from "../../../schemas/error.ts";
import { requireText } from "../../../schemas/own/plain_result.ts";
import { thrownError } from "../../../schemas/own/thrown_error.ts";
import type { FileGrants } from "../../../schemas/grants.ts";
import type { ChosenType, JsonSchema } from "../../../schemas/manifest.ts";
import type { NetRules } from "../../../schemas/net.ts";
import { describeMismatch } from "../../../schemas/json/mismatch.ts";
import { toSchema } from "./to_schema.ts";
import { describeUnknown, repairInput } from "../../../schemas/json/repair.ts";
import type { ToolDefinition } from "../../../schemas/tool.ts";
import { openWeb, type WebCall } from "../../net/room/open_web.ts";
import { checkHosts } from "../../walls/net/net_refusal.ts";
import { createGuard, type Guard } from "../../walls/files/guard.ts";
import { FrameReader } from "../frames.ts";
import type { CallMessage, FromRoom, Outcome, ToRoom } from "../protocol.ts";
import type { RoomProfile } from "../profile.ts";
import { askedServices } from "../asks/services.ts";
import { askedChanges } from "../asks/changes.ts";
import { type DryEffects, dryRun } from "./dry_run.ts";
import { toBase64 } from "./to_base64.ts";
import { RoomAsks } from "./asks.ts";
import { loadOnce, type ToolLoaders } from "./tool_loaders.ts";
import { type RoomScope, RoomVoice } from "./room_voice.ts";
import { tryForbidden } from "./try_forbidden.ts";
import { markBlock, OUTSIDE_MARK } from "../../text/mark_block.ts";
import { stripControls } from "../../text/strip_controls.ts";

/** What a call needs of the room around it. */
interface ServedRoom {
  profile: RoomProfile;
  files: Guard;
  guard(grants: FileGrants): Guard;
  web(call: WebCall): Web;
  threads: readonly MessagePort[];
  asks: RoomAsks;
  /** Loads a built-in tool. */
  load(name: string): Promise<ToolDefinition>;
  /** JSON Schemas made so far, by full name. */
  schemas: Map<string, JsonSchema>;
  post(message: FromRoom): void;
}

/** The rules of a room that needs no network. */
const NO_HOSTS: NetRules = { allow: [], deny: [], private: [] };

/** Shortest time between two progress messages of a call, in milliseconds. */
const PROGRESS_INTERVAL_MS = 100;

/**
 * Answers the messages of main: the whole life of a room. One call at a time.
 *
 * @param write Writes all bytes to the stdout of the room's process, before it returns
 */
export function serveRoom(loaders: ToolLoaders, scope: RoomScope, write: (bytes: Uint8Array) => void): void {
  const voice = new RoomVoice(scope, write);
  const post = (message: FromRoom) => voice.say(message);
  const asks = new RoomAsks(post);
  const cancels = new Map<number, AbortController>();
  let room: ServedRoom | undefined;
  let running = 0;
  const take = async (data: ToRoom, ports: readonly MessagePort[]) => {
    if (data.t === "open") {
      const { profile, token } = data;
      const tell = (change: FileChange) => post({ t: "change", id: running, change });
      const guard = (grants: FileGrants) => createGuard(grants, token, tell, askedChanges(asks.ask));
      room = {
        profile,
        guard,
        files: guard(profile.files),
        web: profile.gate === undefined ? () => noWeb(profile.net) : openWeb(profile.gate).of,
        threads: ports,
        asks,
        load: loadOnce(loaders),
        schemas: new Map(),
        post,
      };
      post(tryForbidden(data.profile));
      if (data.writes) voice.write();
    } else if (data.t === "call" && room) {
      running = data.id;
      voice.isBusy = true;
      const cancel = new AbortController();
      cancels.set(data.id, cancel);
      const outcome = await answer(data, room, cancel);
      cancels.delete(data.id);
      voice.isBusy = false;
      post({ t: "done", id: data.id, outcome });
    } else if (data.t === "cancel") {
      cancels.get(data.id)?.abort(new ToolError("cancelled", "The call was cancelled"));
    } else if (data.t === "answer") {
      asks.receive(data);
    }
  };
  const frames = new FrameReader();
  scope.onmessage = async ({ data, ports }: MessageEvent<ToRoom | Uint8Array>) => {
    if (!(data instanceof Uint8Array)) return await take(data, ports);
    // What was said last may end what was said before.
    await Promise.all(frames.push(data).map((message) => take(message as ToRoom, [])));
  };
}

async function answer(call: CallMessage, room: ServedRoom, cancel: AbortController): Promise<Outcome> {
  const outcome: Outcome = {
    ok: false,
    result: null,
    text: "",
    images: [],
    warnings: [],
    error: null,
    targets: [],
  };
  let tool: ToolDefinition | undefined;
  try {
    tool = await loadTool(call.tool, room);
    await runTool(tool, call, { room, cancel, outcome });
    outcome.ok = true;
  } catch (error) {
    outcome.error = toToolError(error).toInfo();
    outcome.error.message = stripControls(outcome.error.message);
    outcome.text = stripControls(failureText(tool, outcome.error));
    outcome.result = null;
  }
  outcome.warnings = outcome.warnings.map(stripControls);
  return outcome;
}

async function loadTool(name: string, { load, profile: { module } }: ServedRoom): Promise<ToolDefinition> {
  if (!module) return await load(name);
  const { loadOwnTool } = await import("./own_module.ts");
  return await loadOwnTool(name, module);
}

interface Running {
  room: ServedRoom;
  cancel: AbortController;
  outcome: Outcome;
}

async function runTool(tool: ToolDefinition, call: CallMessage, running: Running): Promise<void> {
  const { room, cancel, outcome } = running;
  const schema = call.typed?.input ?? schemaOf(tool, call.tool, room);
  const repaired = repairInput(schema, call.input ?? {}, { cuts: tool.cutsLong === true });
  outcome.warnings.push(...repaired.warnings);
  const read = { schema, asked: call.input };
  const input = call.typed
    ? typedInput(call.typed, repaired.value, read)
    : parseInput(tool, repaired.value, read);
  const { judged } = call;
  const files = judged ? room.guard({ ...room.profile.files, judged }) : room.files;
  const { settings, keys = [] } = call.told;
  outcome.targets = tool.targets?.(input, { settings, keys }) ?? [];
  files.check(outcome.targets.filter(({ ifNeeded = false }) => !ifNeeded));
  checkHosts(outcome.targets, room.profile.net ?? NO_HOSTS);
  const deadline = Date.now() + call.stopAfterMs;
  const work = ({ files, ask }: DryEffects) =>
    tool.run(input, { ...contextOf(call, running, deadline), files, ...askedServices(ask) });
  if (call.mode === "explain") {
    await checkPrograms(outcome.targets, room);
    // Only a change of files can be tried without making it.
    const change = tool.preview && onlyWrites(tool) ? await dryRun(files, work) : null;
    const preview = change ?? tool.preview?.(input);
    if (preview !== undefined) outcome.preview = preview;
    return;
  }
  const timer = setTimeout(
    () =>
      cancel.abort(
        new ToolError("timeout", `${call.tool} was stopped: it took longer than ${call.timeoutMs} ms`),
      ),
    call.stopAfterMs,
  );
  try {
    const raw = await work({ files, ask: room.asks.ask });
    const output = parseOutput(tool, raw, call);
    outcome.result = output;
    const text = stripControls(renderText(tool, output));
    outcome.text = tool.outside ? markBlock(OUTSIDE_MARK, text, { tool: call.tool }) : text;
    if (tool.summary) outcome.summary = tool.summary(output);
  } finally {
    clearTimeout(timer);
  }
}

/** Says whether all that a tool changes are files. */
function onlyWrites({ needs }: ToolDefinition): boolean {
  return needs.write !== undefined && needs.run === undefined && needs.net === undefined;
}

/** What a call has besides files and what main does for it. */
function contextOf(call: CallMessage, { room, cancel, outcome }: Running, deadline: number) {
  const { settings, keys = [] } = call.told;
  return {
    workspace: room.profile.files.workspace,
    home: room.profile.files.home,
    signal: cancel.signal,
    deadline,
    progress: throttle((progress: Parameters<ToolContext["progress"]>[0]) =>
      room.post({ t: "progress", id: call.id, progress })
    ),
    warn: (message: string) => void outcome.warnings.push(message),
    web: room.web({ call: call.name ?? "", signal: cancel.signal, deadline }),
    keys,
    attach: ({ mimeType, bytes }: Parameters<ToolContext["attach"]>[0]) =>
      void outcome.images.push({ mime_type: mimeType, data: toBase64(bytes) }),
    settings,
    toolName: (name: string) => call.told.names === undefined ? name : call.told.names[name] ?? null,
    bytes: call.bytes ?? new Uint8Array(),
    threads: room.threads,
    modelName: call.told.model ?? null,
  };
}

/** The network of a room without a way to it: each request says why there is none. */
function noWeb(rules: NetRules | null): Web {
  const refuse = (url: string): never => {
    if (rules !== null) checkHosts([{ kind: "net", value: url }], rules);
    throw new ToolError("permission_denied", "This tool does not declare that it needs the network");
  };
  return { request: ({ url }) => Promise.resolve(url).then(refuse) };
}

/** Asks main whether it would start the program that the call names. A real start is judged when it comes. */
async function checkPrograms(targets: readonly Target[], room: ServedRoom): Promise<void> {
  for (const { kind, value, command = { argv: [value] }, apart } of targets) {
    if (kind === "run") await room.asks.ask({ kind: "program.check", command, ...(apart && { apart }) });
  }
}

function schemaOf(tool: ToolDefinition, name: string, room: ServedRoom): JsonSchema {
  let schema = room.schemas.get(name);
  if (!schema) room.schemas.set(name, schema = toSchema(tool.input, "input"));
  return schema;
}

interface Read {
  schema: JsonSchema;
  /** The arguments before any repair. */
  asked: unknown;
}

/** The argument whose type the user chose. */
function typedInput({ argument, whole }: ChosenType, value: unknown, { schema, asked }: Read): unknown {
  const problems = describeMismatch(schema, value);
  if (problems.length === 0) return whole ? { [argument]: value } : value;
  throw new ToolError("invalid_input", [...problems, ...describeUnknown(schema, asked)].join("; "));
}

function parseOutput(tool: ToolDefinition, raw: unknown, { tool: name, typed }: CallMessage): unknown {
  const output = typed ? null : tool.output.safeParse(raw);
  if (output?.success) return output.data;
  const problems = typed ? describeMismatch(typed.output, raw) : [z.prettifyError(output!.error!)];
  if (problems.length === 0) return raw;
  throw new ToolError("output_invalid", `${name} gave an invalid result: ${problems.join("; ")}`);
}

function parseInput(tool: ToolDefinition, value: unknown, { schema, asked }: Read): unknown {
  const parsed = tool.input.safeParse(value);
  if (parsed.success) return parsed.data;
  const problems = ownWords(tool, value) ?? describeMismatch(schema, value);
  const said = problems.length > 0 ? problems.join("; ") : z.prettifyError(parsed.error);
  const message = [said, ...describeUnknown(schema, asked)].join("; ");
  throw new ToolError("invalid_input", message, {
    details: { issues: parsed.error.issues.map(({ path, message }) => ({ path, message })) },
  });
}

/** The problems in the words of the tool's schema; `null` if it lacks words for one of them. */
function ownWords(tool: ToolDefinition, value: unknown): string[] | null {
  // This returns an empty text, so that zod's own words do not appear.
  const issues = tool.input.safeParse(value, { error: () => "" }).error?.issues ?? [];
  const words = new Set(issues.map(({ message }) => message));
  return words.has("") ? null : [...words];
}

function renderText(tool: ToolDefinition, output: unknown): string {
  if (tool.text) return requireText(tool.text(output));
  return typeof output === "string" ? output : JSON.stringify(output);
}

/** In the tool's own words, if it has any. */
function failureText(tool: ToolDefinition | undefined, error: ErrorInfo): string {
  try {
    return tool?.errorText ? requireText(tool.errorText(error)) : error.message;
  } catch {
    return error.message;
  }
}

/** Any error but `ToolError` is a bug of bulkhead, or Deno's refusal. */
function toToolError(error: unknown): ToolError {
  if (!(error instanceof Deno.errors.NotCapable)) return thrownError(error);
  const [said = "", kind = "", target = ""] =
    /^Requires (\w+) access(?: to "([^"]*)")?/.exec(error.message) ?? [];
  return new ToolError("permission_denied", `The room's walls refused: ${said || error.message}`, {
    cause: error,
    details: said === "" ? {} : { walls: { kind, target } },
  });
}

/** Passes on at most ten times a second; what comes between is dropped. */
function throttle<T>(pass: (value: T) => void): (value: T) => void {
  let last = -Infinity;
  return (value) => {
    const now = performance.now();
    if (now - last < PROGRESS_INTERVAL_MS) return;
    last = now;
    pass(value);
  };
}
