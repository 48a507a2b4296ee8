import { ToolError } from "../../schemas/error.ts";
import { isObject } from "../../schemas/json/shape.ts";
import type { PlanBook } from "../../schemas/step/plan.ts";
import { type LazyBrowser, lazyBrowser } from "../browser/lazy_browser.ts";
import type { Machine } from "../calls/machine.ts";
import { makeAnswers, type RoomAnswerParts } from "../calls/answers/make_answers.ts";
import type { Carrier } from "../calls/catalog/carrier.ts";
import { type LazyDesktop, lazyDesktop, type LazyDesktopParts } from "../desktop/lazy_desktop.ts";
import { makeRoomCarrier, type RoomServices } from "../calls/room_carrier.ts";
import type { ExecutedLookup } from "../programs/git/executed_lookup.ts";
import type { RoomModule } from "../rooms/profile.ts";
import { RoomPool, type RoomPoolOptions } from "../rooms/room_pool.ts";
import type { ToolState } from "../state/tool_state.ts";
import { type BoxChoice, landlockOf, usedBubblewrap } from "../walls/box/choose_box.ts";
import { trustedPath } from "../walls/files/trusted_path.ts";
import type { ChangeKeeper } from "./keep_changes.ts";
import { lazyPrograms } from "./lazy_programs.ts";
import type { ProgramParts, RunPrograms } from "./make_programs.ts";
import type { ApartPages } from "./net/apart_pages.ts";
import type { RunGate } from "./net/run_gate.ts";

/** What a machine is made of. */
export interface MachineParts extends ProgramParts {
  rooms: RoomPoolOptions;
  state: ToolState;
  /** Called when a call begins that may start programs, so that what reads commands is ready. */
  expectCommands?(): void;
  /** Longest time of any call in milliseconds. @default the tool's own */
  maxCallMs?: number | undefined;
  /** The way to the network. Ends with the machine. */
  gate: RunGate;
  /** Finds the browser of the user, once one is needed. */
  findBrowser(): string | null;
  /** Debugging address of a browser of the user's. */
  userBrowser: string | undefined;
  /** Serves the folder of programs that run apart to browsers. @default nobody could open it */
  pages?: Pick<ApartPages, "open" | "running">;
  /** What the desktop of the session is made of. */
  desktop: Pick<LazyDesktopParts, "find" | "start" | "userDisplay">;
}

/** What runs calls of built-in tools. Ends its rooms and programs when it is disposed of. */
export interface RoomMachine extends AsyncDisposable {
  carrier: Carrier;
  rooms: RoomPool;
  /** Makes what runs the tools of a module of the user's own, which are told no other variables than programs are. */
  moduleCarrier(module: RoomModule, settings: Readonly<Record<string, string>>): Carrier;
  programs: RunPrograms;
  /** Settles when it was looked at what killed runs left; calls wait for it. `null` if they left nothing. */
  tidied: Promise<void> | null;
  /** What the tools of a set keep as plans, for who shows them. */
  plans: Machine["plans"];
}

/**
 * Makes rooms, the host of programs, and the carrier that uses both.
 *
 * @param keeper Keeps what calls change; ends with the machine. Without it, nothing is kept
 */
export function makeRoomMachine(parts: MachineParts, keeper?: ChangeKeeper): RoomMachine {
  const { machine: { grants, home, artifacts, control, model = null }, maxCallMs } = parts;
  const { variables: { tools: settings } } = parts;
  const rooms = new RoomPool(parts.rooms);
  const executed = lookupOf(parts);
  const tidied = finishKilled(parts);
  const programs = lazyPrograms(async () => {
    const { makePrograms } = await import("./make_programs.ts");
    return makePrograms(parts, { tidied, watch: keeper?.watch });
  });
  parts.process?.beforeExit?.add(programs.end);
  const serveApart = parts.pages?.open ?? (() => Promise.resolve(null));
  const { read, write } = grants.allow;
  const asked = {
    changes: { keep: keeper?.keep ?? null, write },
    ignores: { find: ignoresOf(parts), read },
    serveApart,
  };
  const shown = { browser: browserOf(parts, programs), desktop: desktopOf(parts, programs) };
  const answers = makeAnswers({ rooms, programs, state: parts.state, control, model, ...shown, ...asked });
  const services: RoomServices = {
    ...{ grants, home, rooms, artifacts, answers, settings, maxCallMs },
    paths: { executed, closed: programs.closed },
    gate: parts.gate,
    onCall(tool, mode) {
      if (tool.needs.run === undefined) return;
      parts.expectCommands?.();
      if (mode === "explain") return;
      programs.stand();
      programs.warm();
    },
  };
  const carrierOf = (services: RoomServices, module?: RoomModule) => {
    const plain = makeRoomCarrier(services, module);
    const carrier = keeper?.keepingCarrier(plain) ?? plain;
    return tidied === null ? carrier : afterwards(carrier, tidied);
  };
  return {
    carrier: carrierOf(services),
    rooms,
    moduleCarrier: (module, settings) => carrierOf({ ...services, settings }, module),
    programs,
    tidied,
    plans: (fullName, key) => plansOf(parts.state, { fullName, key }),
    async [Symbol.asyncDispose]() {
      const roomsEnd = rooms.close();
      await Promise.all([shown.browser.end(), shown.desktop.end()]);
      await programs.end();
      await parts.gate[Symbol.asyncDispose]();
      await tidied;
      // A process that ends now takes the rooms with it, and need not wait.
      if (parts.process?.beforeExit === undefined || parts.process.keepsPermissions) await roomsEnd;
      parts.process?.beforeExit?.delete(programs.end);
      await keeper?.[Symbol.asyncDispose]();
    },
  };
}

/** It may reach what tools may reach, and the pages of the run itself; it touches no file. */
function browserOf(
  { findBrowser, userBrowser, box, pages, machine: { grants }, gate: { door } }: MachineParts,
  { narrowed: programsFor }: RunPrograms,
): LazyBrowser {
  return lazyBrowser({
    ...{
      find: findBrowser,
      userBrowser,
      programsFor,
      isBoxed: () => isInBox(box, "browser", ": pass --sandbox off to run without it"),
      grants,
    },
    openDoor: (to) => door({ ...to, secrets: [], form: "proxy", listens: "loopback" }),
    ownPages: () => pages?.running ?? null,
  });
}

/** Its programs may touch what those of calls may. */
function desktopOf({ desktop, machine: { grants }, box }: MachineParts, programs: RunPrograms): LazyDesktop {
  return lazyDesktop({
    ...{ ...desktop, grants, programsFor: programs.narrowed },
    isBoxed: () => isInBox(box, "desktop", ", and nowhere else on it"),
  });
}

/** Throws `unavailable` behind Landlock and under a profile of macOS: neither of them starts there. */
async function isInBox(box: BoxChoice, what: string, more: string): Promise<boolean> {
  if (!await box.isUsed()) return false;
  if (await usedBubblewrap(box) !== null) return true;
  throw new ToolError(
    "unavailable",
    `The ${what} does not start ${
      await landlockOf(box) === null ? "in the sandbox of macOS" : "behind Landlock"
    }${more}`,
  );
}

async function plansOf(
  state: ToolState,
  { fullName, key }: { fullName: string; key: string },
): Promise<PlanBook | null> {
  const kept = await state.get(fullName.split("/", 1)[0]!, key);
  return isObject(kept) && Array.isArray(kept.plans) ? kept as unknown as PlanBook : null;
}

/** It is loaded with the first tool that writes files. */
function lookupOf({ machine: { grants, home }, variables: { git: env } }: MachineParts): ExecutedLookup {
  let made: Promise<ExecutedLookup> | undefined;
  const make = async () => {
    const { makeExecutedLookup } = await import("../programs/git/executed_lookup.ts");
    return makeExecutedLookup({ workspace: grants.workspace, write: grants.allow.write, home, env });
  };
  return async () => await (await (made ??= make()))();
}

/** It is loaded with the first search. */
function ignoresOf(
  { machine: { home }, variables: { git: env } }: MachineParts,
): RoomAnswerParts["ignores"]["find"] {
  return async (top) => {
    const { ignoreLists } = await import("../programs/git/ignore_lists.ts");
    return ignoreLists(top, { home, env });
  };
}

/** Looks at what programs left whose run was killed, before anything else. */
function finishKilled({ process, machine, searchPath }: MachineParts): Promise<void> | null {
  if (process === undefined) return null;
  const { journal, warn } = process;
  const { folder } = journal;
  const names = journal.names();
  if (folder === null || names.length === 0) return null;
  const asideFolder = () => machine.artifacts.folder("aside");
  const ownPath = trustedPath(searchPath, machine.grants);
  // Few runs have something to finish.
  return import("../programs/journal/finish_records.ts").then(({ finishRecords }) =>
    finishRecords(names, { folder, searchPath: ownPath, asideFolder, tell: warn })
  );
}

function afterwards(carrier: Carrier, tidied: Promise<void>): Carrier {
  return {
    call: (...call) => tidied.then(() => carrier.call(...call)),
    explain: (...call) => tidied.then(() => carrier.explain(...call)),
  };
}
