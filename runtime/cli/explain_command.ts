import { exitCodeOf, ToolError } from "../../schemas/error.ts";
import type { ManifestEntry } from "../../schemas/manifest.ts";
import type { Scope } from "../../schemas/grants.ts";
import type { Place } from "../../schemas/result.ts";
import { findTool } from "../names.ts";
import { profileOf, type RoomProfile } from "../profile.ts";
import { explainCall, type Explanation } from "../run_call.ts";
import { onOneLine } from "../strip_controls.ts";
import { type Io, print } from "./io.ts";
import { jsonLine } from "./json_line.ts";
import type { Invocation } from "./parse_argv.ts";
import { readInput } from "./read_input.ts";
import { type Run, startRun } from "./start_run.ts";

/** `explain TOOL …`: what a call would touch, in which room, and whether it would be let; nothing runs. */
export async function explainCommand({ positionals, options }: Invocation, io: Io): Promise<number> {
  const [name = "", ...words] = positionals;
  const entry = findTool(await io.manifest(), name);
  const input = await readInput(words, entry, io);
  using run = startRun(options, io);
  const room = await describeRoom(entry, run);
  const explanation = await explainCall(entry, input, { machine: run.machine, signal: io.interrupt });
  const report = {
    tool_name: entry.full_name,
    allowed: explanation.error === null,
    needs: entry.needs,
    policy: run.grants.policy,
    room,
    targets: explanation.targets,
    warnings: explanation.warnings,
    error: explanation.error,
  };
  await print(io, options.json ? jsonLine(report) : render(entry, { room, explanation }));
  return explanation.error === null ? 0 : exitCodeOf(explanation.error.code);
}

interface RoomShown {
  place: Place;
  read: Scope;
  write: Scope;
  net: Scope;
}

/** `null` if the grants leave the tool no room at all. */
async function describeRoom(entry: ManifestEntry, { machine, ground }: Run): Promise<RoomShown | null> {
  let profile: RoomProfile;
  try {
    profile = profileOf(entry, machine.grants, machine.home);
  } catch (error) {
    if (error instanceof ToolError) return null;
    throw error;
  }
  const { read, write, net } = profile;
  return { place: await ground.place(profile), read, write, net };
}

const PLACES: Readonly<Record<Place, string>> = {
  box: "a process in the operating-system box",
  process: "a process of its own, without a box",
  worker: "a worker of this process, without a box",
  none: "nowhere",
};

function render(
  entry: ManifestEntry,
  { room, explanation }: { room: RoomShown | null; explanation: Explanation },
): string {
  const needs = Object.entries(entry.needs).map(([kind, scope]) => `${kind} (${[scope].flat().join(", ")})`);
  const lines = [`tool     ${entry.full_name}`, `needs    ${needs.join(", ") || "nothing"}`];
  if (room) {
    lines.push(`room     ${PLACES[room.place]}`);
    for (const kind of ["read", "write", "net"] as const) {
      lines.push(`  ${kind.padEnd(7)}${showScope(room[kind])}`);
    }
  }
  for (const { kind, value } of explanation.targets) lines.push(`touches  ${kind} ${onOneLine(value)}`);
  for (const warning of explanation.warnings) lines.push(`warning  ${onOneLine(warning)}`);
  lines.push(
    explanation.error === null
      ? "verdict  would run"
      : `verdict  would be refused (${explanation.error.code}): ${explanation.error.message}`,
  );
  return `${lines.join("\n")}\n`;
}

function showScope(scope: Scope): string {
  return scope === true ? "everything" : scope.map(onOneLine).join(", ") || "nothing";
}
