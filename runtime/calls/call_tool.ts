import { resolve } from "@std/path";

import type { Target } from "../../schemas/access.ts";
import { type ErrorInfo, ToolError } from "../../schemas/error.ts";
import { isObject } from "../../schemas/json/shape.ts";
import type { ManifestEntry } from "../../schemas/manifest.ts";
import type { ToolResult } from "../../schemas/result.ts";
import { redactArgv } from "../text/secrets/command_secrets.ts";
import { orAborted } from "../wait/or_aborted.ts";
import {
  judge,
  type Judgement,
  type PathForms,
  readsInput,
  withDefaults,
} from "../walls/grants/permission.ts";
import { pathForms } from "../walls/files/real_target.ts";
import { makeAuditRecord } from "./audit_record.ts";
import type { CallFacts, Carrier, CarrierOptions, Explanation } from "./catalog/carrier.ts";
import type { CatalogEntry } from "./catalog/catalog.ts";
import type { CallControl } from "./control.ts";
import { NO_CONSENT, readConsent, scopeOf, showScope } from "./consent.ts";
import { cancelled, failedResult, toToolError } from "./failed_result.ts";
import { type HookCall, runAfter, runBefore } from "./hooks.ts";
import type { Place } from "./call_line.ts";
import type { Machine } from "./machine.ts";
import { refusal } from "./results/permission_refusal.ts";

/** Options of {@linkcode callTool}. */
export interface CallToolOptions extends CarrierOptions {
  machine: Machine;
  /** Called when the call's turn has come. A call that is cancelled before has no turn. */
  onStart?: () => void;
  /** The id that the caller gave the call. @default none */
  callId?: string;
  /** Gets the question to a person, and the answer. */
  onConfirm?: (state: "asked" | "confirmed" | "declined") => void;
}

/** Longest wait for a person's answer, in milliseconds. */
const CONFIRM_MS = 300_000;

/**
 * Runs one call in its turn, if the user allows it: permission, a person's consent, hooks. Then records it for the
 * audit. A wait for the turn does not count as time of the call, and ends at once with the signal.
 * Never rejects: every end, also a bug, is a {@linkcode ToolResult}.
 */
export async function callTool(
  { tool, carrier }: CatalogEntry,
  input: unknown,
  options: CallToolOptions,
): Promise<ToolResult> {
  const { machine, signal = new AbortController().signal } = options;
  const { control } = machine;
  const entry = control.configure(tool);
  using place = await takePlace(entry, machine, signal);
  if (place !== null) options.onStart?.();
  const time = new Date();
  const { callId: id } = options;
  const told = machine.telemetry?.call({ tool: entry.full_name, id, input, redact: control.redact });
  const gate: Gate = {
    entry,
    carrier,
    control,
    options,
    signal,
    input,
    place,
    warnings: [],
    confirmed: false,
    judged: null,
    facts: { targets: [], analyses: [], programs: [], connections: [] },
  };
  let result: ToolResult;
  try {
    signal.throwIfAborted();
    await pass(gate);
    const { judged } = gate;
    const end = await carrier.call(entry, gate.input, {
      ...options,
      ...programListener(options),
      ...(judged && { judged }),
    });
    gate.facts = end.facts;
    end.result.warnings.unshift(...gate.warnings);
    result = await afterwards(end.result, gate);
  } catch (error) {
    const why = signal.aborted ? cancelled(signal.reason) : toToolError(error);
    result = failedResult(entry, why.toInfo(), { durationMs: Date.now() - time.getTime() });
  }
  told?.(result);
  const { confirmed, facts } = gate;
  control.audit?.(makeAuditRecord({ entry, input: gate.input, result, facts, confirmed, time }, machine));
  return result;
}

/**
 * Says whether a call would be allowed, without a question to a person and without hooks.
 *
 * @returns The error that would refuse it, `null` if it would be allowed
 */
export async function explainPermission(
  { tool, carrier }: CatalogEntry,
  input: unknown,
  machine: Machine,
): Promise<ErrorInfo | null> {
  const { control } = machine;
  const { signal } = new AbortController();
  const entry = control.configure(tool);
  const options = { machine };
  const call = { entry, carrier, control, options, signal, input };
  const facts = { targets: [], analyses: [], programs: [], connections: [] };
  const gate: Gate = { ...call, place: null, warnings: [], confirmed: false, judged: null, facts };
  await repair(gate);
  const judgement = await judgeCall(gate);
  const refused = judgement.verdict === "deny" ||
    (judgement.verdict === "confirm" && control.confirm === null);
  return refused ? refusal(entry, control, { judgement }).toInfo() : null;
}

/** A call on its way to its tool. */
interface Gate {
  entry: ManifestEntry;
  carrier: Pick<Carrier, "explain" | "startsOwn">;
  control: CallControl;
  options: CallToolOptions;
  signal: AbortSignal;
  /** The input, as far as it is repaired and changed by hooks. */
  input: unknown;
  /** `null` if the call needs none. */
  place: Place | null;
  warnings: string[];
  confirmed: boolean;
  /** What its paths led to when they were judged: only that may be touched. */
  judged: readonly string[] | null;
  facts: CallFacts;
}

/** Others hear of programs with the secrets masked. */
function programListener({ onProgram, machine }: CallToolOptions): Pick<CarrierOptions, "onProgram"> {
  if (!onProgram) return {};
  const { redact } = machine.control;
  return {
    onProgram(event) {
      if (event.type === "program.end") onProgram(event);
      else if (event.type === "program.input") onProgram({ ...event, text: redact(event.text) });
      else {
        const { argv, cwd, command } = event;
        const masked = { argv: redactArgv(argv, redact), cwd: redact(cwd) };
        onProgram({ ...event, ...masked, ...(command !== undefined && { command: redact(command) }) });
      }
    },
  };
}

/** A place beside the line, for what holds up nobody. */
const FREE_PLACE: Place = { leave() {}, comeBack: () => Promise.resolve(true), [Symbol.dispose]() {} };

/** `null` if the call is cancelled before its turn. A tool that only asks a person touches nothing: it need not wait. */
async function takePlace(
  { full_name, asks, needs, parallel, limits }: ManifestEntry,
  { line }: Machine,
  signal: AbortSignal,
): Promise<Place | null> {
  if (asks && Object.keys(needs).length === 0) return signal.aborted ? null : FREE_PLACE;
  return await line.enter({ toolName: full_name, parallel, concurrency: limits.concurrency }, signal);
}

/** Allows a call, or throws its refusal. */
async function pass(gate: Gate): Promise<void> {
  await repair(gate);
  await askPermission(gate);
  const { hooks } = gate.control;
  const { input, refusal } = await inside(gate, hooks, () => runBefore(hooks, hookCall(gate)));
  if (refusal !== null) {
    throw new ToolError("denied_by_policy", `${gate.entry.full_name} is refused: ${refusal}`, {
      details: { rule: "hook", tool: gate.entry.full_name },
    });
  }
  if (input === gate.input) return;
  gate.input = input;
  // The user must allow a call that a hook changed, like a call of a model.
  await askPermission(gate);
}

/** Permissions and hooks see the call that the tool will get, after the room's repairs. */
async function repair(gate: Gate): Promise<void> {
  const { entry, control } = gate;
  if (control.hooks.length === 0 && !control.permissions(entry).some(readsInput)) return;
  const { repairInput } = await import("../../schemas/json/repair.ts");
  const { input_schema, cuts_long: cuts = false, open_input: isOpen = false } = entry;
  const { value, warnings } = repairInput(input_schema, gate.input, { cuts, isOpen });
  gate.input = value;
  gate.warnings.push(...warnings);
}

function judgeCall(gate: Gate): Promise<Judgement> {
  const { entry, control, options: { machine } } = gate;
  const permissions = control.permissions(entry);
  const readsAny = permissions.some(readsInput);
  const input = readsAny ? withDefaults(entry, gate.input) : gate.input;
  const paths = readsAny ? pathsOf(entry, input, machine) : new Map<string, PathForms>();
  gate.judged = paths.size === 0 ? null : [...paths.values()].flatMap(({ real }) => real);
  const call = { tool: entry.full_name, input, role: control.role, paths };
  const functions = permissions.filter((permission) => typeof permission === "function");
  return inside(gate, functions, () => judge(permissions, call));
}

/** What the arguments lead to that are paths. An absent one stands for the workspace. */
function pathsOf(
  { paths }: ManifestEntry,
  input: unknown,
  { grants, home }: Machine,
): ReadonlyMap<string, PathForms> {
  const { workspace, aliases } = grants;
  return new Map(paths.flatMap((name) => {
    const path = isObject(input) ? input[name] ?? "." : null;
    return typeof path === "string" ? [[name, pathForms(path, { workspace, aliases, home })]] : [];
  }));
}

/** Runs functions of the user's own, if there are any: they may make calls in the middle of this one. */
async function inside<T>(
  { options: { machine } }: Gate,
  functions: readonly unknown[],
  run: () => Promise<T>,
): Promise<T> {
  return functions.length === 0 ? await run() : await machine.line.inside(run);
}

async function askPermission(gate: Gate): Promise<void> {
  const judgement = await judgeCall(gate);
  if (judgement.verdict === "allow") return;
  if (judgement.verdict === "deny" || gate.control.confirm === null) {
    throw refusal(gate.entry, gate.control, { judgement });
  }
  if (!gate.confirmed) await askPerson(gate, judgement);
}

async function askPerson(gate: Gate, judgement: Judgement): Promise<void> {
  const { entry, carrier, control, options, signal, input, place } = gate;
  let explained: Promise<Explanation> | undefined;
  const explain = () => explained ??= carrier.explain(entry, input, { signal });
  const scope = () => scopeOf(entry, explain, carrier);
  if (control.consents.knows(entry.full_name) && control.consents.covers(await scope())) {
    gate.confirmed = true;
    return;
  }
  const { error, targets: touched, analyses: understood } = await explain();
  gate.facts = { targets: touched, analyses: understood, programs: [], connections: [] };
  // Nobody is asked about what would be refused after the answer.
  if (error) throw new ToolError(error.code, error.message, error);
  const question = `${entry.full_name} needs your consent: ${judgement.reason}`;
  const preview = async () => {
    const { targets, analyses, preview: change } = await explain();
    const always = await scope();
    const places = targets.map((target) => withReal(target, options.machine));
    return { targets: places, analyses, change, always: always && showScope(always) };
  };
  options.onConfirm?.("asked");
  // A person takes long, and other callers need not wait for the answer.
  place?.leave();
  // No answer, or a late one, means no consent.
  const asked =
    (async () => readConsent(await control.confirm?.({ tool: entry.full_name, input, question, preview })))();
  const limit = AbortSignal.any([signal, AbortSignal.timeout(CONFIRM_MS)]);
  const answer = await orAborted(asked.catch(() => null), limit);
  const { agreed, always, reason } = answer ?? NO_CONSENT;
  options.onConfirm?.(agreed ? "confirmed" : "declined");
  if (!agreed) throw refusal(entry, control, { judgement, said: reason });
  const covered = always ? await scope() : null;
  if (covered) control.consents.add(covered);
  if (await place?.comeBack() === false) throw cancelled(signal.reason);
  gate.confirmed = true;
}

/** A person must see where a link leads. */
function withReal(target: Target, { grants, home }: Machine): Target {
  if (target.kind !== "read" && target.kind !== "write") return target;
  const { workspace, aliases } = grants;
  const { real } = pathForms(target.value, { workspace, aliases, home });
  const elsewhere = real.filter((path) => path !== resolve(workspace, target.value));
  return elsewhere.length === 0 ? target : { ...target, real: elsewhere.join(" or ") };
}

function hookCall({ entry, input, options, signal }: Gate): HookCall {
  return { tool: entry.full_name, input, workspace: options.machine.grants.workspace, signal };
}

async function afterwards(result: ToolResult, gate: Gate): Promise<ToolResult> {
  const { hooks } = gate.control;
  const answer = await inside(gate, hooks, () => runAfter(hooks, hookCall(gate), { result }));
  if (!("problem" in answer)) return answer;
  throw new ToolError(
    "internal",
    `The result of ${gate.entry.full_name} is withheld: a hook after it failed: ${answer.problem}`,
    { details: { rule: "hook", tool: gate.entry.full_name } },
  );
}
