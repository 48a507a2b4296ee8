import { USER_BROWSER_WORDS } from "../../browser/user_browser_words.ts";
import type { Target } from "../../../schemas/access.ts";
import type { CommandAnalysis } from "../../../schemas/command.ts";
import { type ErrorInfo, exitCodeOf, ToolError } from "../../../schemas/error.ts";
import type { Scope } from "../../../schemas/grants.ts";
import type { ManifestEntry } from "../../../schemas/manifest.ts";
import type { Place } from "../../../schemas/result.ts";
import { explainPermission } from "../../calls/call_tool.ts";
import { findTool, isCertain, noteOnName } from "../../calls/catalog/find_tool.ts";
import type { NetRules } from "../../../schemas/net.ts";
import { landlockOf } from "../../walls/box/choose_box.ts";
import { toolRules } from "../../walls/net/net_rules.ts";
import { profileOf, requireNet, type RoomProfile } from "../../rooms/profile.ts";
import { IF_NEEDED } from "../io/show_consent.ts";
import { onOneLine } from "../../text/strip_controls.ts";
import { type Io, print } from "../io/io.ts";
import { jsonLine } from "../../text/json_line.ts";
import type { Options } from "../args/options/option_table.ts";
import type { Invocation } from "../args/parse_argv.ts";
import { SCRIPT_TOOLSET } from "../../sources/script/describe_script.ts";
import { readInput } from "../io/read_input.ts";
import type { Host } from "../../host/open_host.ts";
import { keepOnly, openRun } from "../setup/open_run.ts";
import {
  apartPrograms,
  describeGrants,
  describePrograms,
  type ProgramsShown,
  scopeText,
  showGrants,
  showNet,
  showPrograms,
} from "../show/show_grants.ts";

/**
 * `explain TOOL …`: what a call would touch, in which room, and whether it would be allowed; without a tool, what calls may
 * touch at most. Nothing runs.
 */
export async function explainCommand({ positionals, options }: Invocation, io: Io): Promise<number> {
  const [name = "", ...words] = positionals;
  const manifest = await io.manifest();
  await using host = openRun(options, io, { manifest });
  if (name === "") return await explainGrants(host, options, io);
  // Whoever names files of tools may mean theirs.
  if (options.tools || !isCertain(host.catalog, name)) await host.ready({ signal: io.interrupt });
  const entry = findTool(host.catalog, name);
  const { tool, carrier } = entry;
  const note = noteOnName(host.catalog, name, entry);
  const input = await readInput(words, tool, io);
  await keepOnly([tool], { host, options, io, explains: true });
  // A script is a program itself, with less than other programs.
  const isScript = tool.toolset === SCRIPT_TOOLSET;
  const room = isScript ? null : await describeRoom(tool, host);
  const refusal = await explainPermission(entry, input, host);
  const explanation = await carrier.explain(tool, input, { signal: io.interrupt });
  const error = refusal ?? explanation.error;
  const walls = await wallsOf(host);
  const { boxed } = walls;
  const isApart = explanation.targets.some(({ apart = false }) => apart);
  const described = tool.needs.run === undefined
    ? null
    : describePrograms(host.grants, { ...walls, needs: isScript ? tool.needs : null });
  // Without a sandbox, nothing runs apart.
  const isRemote = host.loaded.config.sandbox?.remote !== undefined;
  const programs = isApart && described
    ? boxed || isRemote ? apartPrograms(described, { isRemote }) : null
    : described;
  const report = {
    tool_name: tool.full_name,
    allowed: error === null,
    needs: tool.needs,
    policy: host.grants.commands.name,
    room,
    programs,
    own_display: options.display === true && tool.needs.run !== undefined,
    own_browser: options.browserUrl !== undefined && tool.needs.net !== undefined &&
      tool.needs.run !== undefined,
    targets: explanation.targets,
    analyses: explanation.analyses,
    warnings: [note, ...explanation.warnings].filter((warning) => warning !== null),
    error,
  };
  await print(io, options.json ? jsonLine(report) : render(tool, report));
  return error === null ? 0 : exitCodeOf(error.code);
}

async function explainGrants(host: Host, options: Options, io: Io): Promise<number> {
  await keepOnly([], { host, options, io });
  const shown = {
    ...describeGrants(host.grants, await wallsOf(host)),
    own_display: options.display === true,
    own_browser: options.browserUrl !== undefined,
  };
  const lines = [...showGrants(shown), ...showOwn(shown)];
  await print(io, options.json ? jsonLine(shown) : lines.map((line) => `${line}\n`).join(""));
  return 0;
}

async function wallsOf({ box }: Host): Promise<{ boxed: boolean; wall?: "landlock" }> {
  const boxed = await box.isUsed();
  return { boxed, ...(boxed && await landlockOf(box) !== null && { wall: "landlock" }) };
}

interface RoomShown {
  place: Place;
  read: Scope;
  write: Scope;
  /** What the gate lets it reach, `null` if the tool needs no network. */
  net: NetRules | null;
}

/** `null` if the grants leave the tool no room at all. */
async function describeRoom(entry: ManifestEntry, host: Host): Promise<RoomShown | null> {
  let profile: RoomProfile;
  try {
    requireNet(entry, host.grants);
    profile = profileOf(entry, host.grants, host);
  } catch (error) {
    if (error instanceof ToolError) return null;
    throw error;
  }
  const { read, write } = profile;
  const net = entry.needs.net === undefined ? null : toolRules(entry.needs.net, host.grants);
  return { place: await host.places.placeOf(profile), read, write, net };
}

const PLACES: Readonly<Record<Place, string>> = {
  sandbox: "a process in the sandbox",
  landlock: "a process behind Landlock",
  process: "a process of its own, without a sandbox",
  worker: "a worker of this process, without a sandbox",
  here: "this process, without any wall",
  none: "nowhere",
};

interface Report {
  room: RoomShown | null;
  programs: ProgramsShown | null;
  /** With `--display`, and programs. */
  own_display: boolean;
  /** With `--browser-url`, and tools that may use a browser. */
  own_browser: boolean;
  targets: readonly Target[];
  analyses: readonly CommandAnalysis[];
  warnings: readonly string[];
  error: ErrorInfo | null;
}

function render(entry: ManifestEntry, report: Report): string {
  const { room, programs, targets, analyses, warnings, error } = report;
  const needs = Object.entries(entry.needs).map(([kind, scope]) => `${kind} (${[scope].flat().join(", ")})`);
  const lines = [`tool     ${entry.full_name}`, `needs    ${needs.join(", ") || "nothing"}`];
  if (room) {
    lines.push(`room     ${PLACES[room.place]}`);
    for (const kind of ["read", "write"] as const) lines.push(`  ${kind.padEnd(7)}${scopeText(room[kind])}`);
    lines.push(`  net    ${showNet(room.net)}`);
  }
  if (programs) lines.push(...showPrograms(programs));
  lines.push(...showOwn(report));
  for (const { kind, value, ifNeeded = false } of targets) {
    lines.push(`touches  ${kind} ${onOneLine(value)}${ifNeeded ? IF_NEEDED : ""}`);
  }
  for (const analysis of analyses) lines.push(`command  ${showAnalysis(analysis)}`);
  for (const warning of warnings) lines.push(`warning  ${onOneLine(warning)}`);
  lines.push(
    error === null
      ? `verdict  would run${warnings.length > 0 ? ", but see the warnings" : ""}`
      : `verdict  would be refused (${error.code}): ${onOneLine(error.message)}`,
  );
  return `${lines.join("\n")}\n`;
}

function showOwn({ own_display, own_browser }: Pick<Report, "own_display" | "own_browser">): string[] {
  return [
    ...own_display ? ["display  your own screen, keyboard and mouse, for tools that use a desktop"] : [],
    ...own_browser ? [`browser  ${USER_BROWSER_WORDS}`] : [],
  ];
}

function showAnalysis({ commands, opaque, rules, risk }: CommandAnalysis): string {
  const names = [...new Set(commands.flatMap(({ via, program }) => [...via, program || "?"]))];
  const parts = [`${names.map(onOneLine).join(", ") || "nothing"}; risk ${risk}`];
  if (rules.length > 0) parts.push(`forbidden by ${rules.join(", ")}`);
  if (opaque.length > 0) parts.push(`not understood: ${opaque.map(onOneLine).join(", ")}`);
  return parts.join("; ");
}
