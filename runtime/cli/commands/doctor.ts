import { ToolError } from "../../../schemas/error.ts";
import {
  LANDLOCK_HOLDS,
  landlockLacks,
  PROGRAM_BOX_HOLDS,
  SEATBELT_HOLDS,
} from "../../programs/box/program_box.ts";
import { landlockOf, usedBubblewrap } from "../../walls/box/choose_box.ts";
import type { Landlock } from "../../walls/box/try_landlock.ts";
import { SANDBOX_EXEC } from "../../walls/box/seatbelt_rules.ts";
import { type TrustedPrograms, trustedPrograms } from "../../walls/files/trusted_path.ts";
import { stateFolder, stateProblem } from "../../state/state_folder.ts";
import { installWords } from "../../walls/process/install_words.ts";
import { VERSION } from "../../self/version.ts";
import { type Io, print } from "../io/io.ts";
import { jsonLine } from "../../text/json_line.ts";
import type { Invocation } from "../args/parse_argv.ts";
import { configPlaces } from "../../host/config/find_config.ts";
import { noBoxNotice } from "../../host/no_box_notice.ts";
import { type DoctorFinding, renderFindings } from "../doctor/finding.ts";
import { gateFinding } from "../doctor/gate_finding.ts";
import { pathFindings } from "../doctor/path_findings.ts";
import {
  browserFinding,
  configFinding,
  desktopFinding,
  modelFinding,
  sourceFindings,
} from "../doctor/setup_findings.ts";
import { configPlacesOf } from "./config.ts";
import type { Host } from "../../host/open_host.ts";
import { keepOnly, openRun } from "../setup/open_run.ts";

/** Longest time for a trial, in milliseconds. */
const TRIAL_MS = 10_000;

/** `doctor`: checks this machine with real operations. Exit code 0, or 1 if something is bad. */
export async function doctor({ options }: Invocation, io: Io): Promise<number> {
  const path = io.env("PATH") ?? "/usr/bin:/bin";
  const manifest = await io.manifest();
  await using run = openRun(options, io, { manifest });
  const sources = await run.ready({ signal: io.interrupt });
  const env = io.variables();
  const places = configPlaces(configPlacesOf(options, io));
  const network = await gateFinding(run, env);
  await keepOnly(run.catalog.entries.map(({ tool }) => tool), { host: run, options, io });
  const own = trustedPrograms(path, run.grants);
  const findings = [
    versions(),
    workspace(run),
    configFinding(run, places),
    stateFinding(stateFolder(env.XDG_STATE_HOME, env.HOME ?? "")),
    ...sourceFindings(sources),
    modelFinding(run, env),
    // Where none is taken, the reason says why.
    await boxFinding(run, own.find("bwrap") === null ? [] : own.passedOver("bwrap")),
    memoryBound(own.find("prlimit")),
    await rooms(run),
    await programs(run),
    network,
    ...await run.box.isUsed() ? await pathFindings(run, path) : [],
    browserFinding(env, own.find, options.browserUrl),
    desktopFinding(own.find, { isRoot: Deno.uid() === 0 }),
    // The one of macOS is another program.
    terminals(Deno.build.os === "linux" ? own.find("script") : null),
    mainPermissions(),
  ];
  const isFit = findings.every(({ state }) => state !== "bad");
  const missing = findings.flatMap(({ missing }) => missing ?? []);
  const report = { healthy: isFit && missing.length === 0, missing, findings };
  const verdict = missing.length === 0 ? "" : `\nNot possible here: ${missing.join("; ")}\n`;
  await print(io, options.json ? jsonLine(report) : renderFindings(findings, io.stdoutWidth()) + verdict);
  return isFit ? 0 : 1;
}

function versions(): DoctorFinding {
  const { deno, v8 } = Deno.version;
  const built = Deno.build.standalone ? "compiled" : "from source";
  return { check: "version", state: "ok", detail: `bulkhead ${VERSION} ${built}, Deno ${deno}, V8 ${v8}` };
}

/** What outlives a run is kept there: sessions, what undo takes back, records of programs. */
function stateFinding(folder: string | null): DoctorFinding {
  const check = "state";
  const problem = stateProblem(folder);
  if (problem === null) return { check, state: "ok", detail: `${folder} can be written` };
  const help =
    "runs keep no session and undo takes nothing back: set XDG_STATE_HOME to a folder that can be written";
  return { check, state: "warn", detail: `${problem}; ${help}`, missing: "sessions" };
}

function workspace({ grants }: Host): DoctorFinding {
  const { commands, workspace } = grants;
  return { check: "workspace", state: "ok", detail: `${workspace}, policy ${commands.name}` };
}

async function boxFinding(
  { box }: Host,
  passedOver: ReturnType<TrustedPrograms["passedOver"]>,
): Promise<DoctorFinding> {
  const state = await box.state();
  const passed = passedOver.map(({ path, why }) => `; not ${path}: ${why}`).join("");
  if (state.works && state.landlock) return landlockFinding(state.landlock);
  if (state.works && state.bwrap === null) return await seatbeltFinding(box);
  if (state.works) {
    const held =
      "the file system beyond the permissions, network, other processes, secrets at the top of granted folders";
    return {
      check: "sandbox",
      state: "ok",
      detail: `${state.bwrap} works; for rooms it blocks ${held}${passed}`,
    };
  }
  const loss = "without it a link that is swapped while a tool opens it can lead outside the grants";
  return {
    check: "sandbox",
    state: "warn",
    detail: `no sandbox: ${state.reason}${passed}; ${state.advice}; ${loss}`,
    missing: "programs in a sandbox",
  };
}

/** What of it holds was tried by attempts, and so is what does not. */
function landlockFinding({ holdsPorts, holdsSignals }: Landlock): DoctorFinding {
  const lacks = landlockLacks({ holdsPorts, holdsSignals });
  return {
    check: "sandbox",
    state: "ok",
    detail:
      `Landlock and a filter of system calls work (--sandbox landlock); they hold less than namespaces would: ` +
      lacks.join("; "),
  };
}

/** What a profile of macOS holds is tried at the first question; what is in it was tested elsewhere. */
async function seatbeltFinding({ roomsUseProfile }: Host["box"]): Promise<DoctorFinding> {
  const forRooms = await roomsUseProfile?.() ?? false;
  const detail = `${SANDBOX_EXEC} works for programs`;
  return forRooms ? { check: "sandbox", state: "ok", detail: `${detail} and for rooms` } : {
    ...{ check: "sandbox", state: "warn", missing: "rooms in a sandbox" },
    detail: `${detail}, but not for rooms, which Deno's permissions alone hold`,
  };
}

function memoryBound(prlimit: string | null): DoctorFinding {
  return prlimit === null
    ? {
      check: "memory",
      state: "warn",
      detail: `prlimit is missing: the memory of room processes is not bounded; ${installHint("util-linux")}`,
      missing: "bounds of memory",
    }
    : { check: "memory", state: "ok", detail: `${prlimit} bounds the memory of room processes` };
}

/** Opens a real room and runs a call: a room that finds a hole in its walls does not open. */
async function rooms({ catalog }: Host): Promise<DoctorFinding> {
  const entry = catalog.entries.find(({ tool }) => tool.trial !== null);
  if (!entry) return { check: "rooms", state: "warn", detail: "no tool can be tried" };
  const { result } = await entry.carrier.call(entry.tool, entry.tool.trial, {});
  if (result.ok) {
    const { place, duration_ms } = result.metadata;
    return {
      check: "rooms",
      state: "ok",
      detail: `walls hold in a ${place}, first call in ${duration_ms} ms`,
    };
  }
  return { check: "rooms", state: "bad", detail: result.error?.message ?? "no answer" };
}

/** Starts a real program as a tool would. */
async function programs(run: Host): Promise<DoctorFinding> {
  const check = "programs";
  const notice = await noBoxNotice(run);
  if (notice !== null) return { check, state: "warn", detail: notice };
  const call = {
    toolset: "doctor",
    interprets: false,
    onAnalysis() {},
    signal: AbortSignal.timeout(TRIAL_MS),
    onProgram() {},
    onArtifact() {},
    warn() {},
  };
  try {
    const { exitCode, durationMs } = await run.programs.run({ argv: ["true"] }, call);
    if (exitCode === 0) {
      const held = (await heldHere(run.box)).join(", ");
      return {
        check,
        state: "ok",
        detail: `in the sandbox, ${Math.round(durationMs)} ms for true; it blocks ${held}`,
      };
    }
    return { check, state: "bad", detail: `true ended with ${exitCode} in the sandbox` };
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    return { check, state: "bad", detail: error.message };
  }
}

function installHint(name: string): string {
  return `install it with: ${installWords([name])}`;
}

/** What walls keep from programs on this machine. */
async function heldHere(box: Host["box"]): Promise<readonly string[]> {
  if (await usedBubblewrap(box) !== null) return PROGRAM_BOX_HOLDS;
  return await landlockOf(box) === null ? SEATBELT_HOLDS : LANDLOCK_HOLDS;
}

function terminals(script: string | null): DoctorFinding {
  return script === null
    ? {
      check: "terminals",
      state: "warn",
      detail: Deno.build.os === "linux"
        ? `no terminals: script is missing; ${installHint("bsdutils")}`
        : `no terminals: bulkhead makes none on ${Deno.build.os}`,
      missing: "terminals",
    }
    : { check: "terminals", state: "ok", detail: `${script} makes terminals` };
}

/** Tries the permissions that main gave up: asking Deno for them is not enough. */
function mainPermissions(): DoctorFinding {
  const check = "main";
  const attempts = [
    () => Deno.listen({ port: 0 }).close(),
    () => Deno.env.get("PATH"),
    () => Deno.dlopen("libc.so.6", {}).close(),
  ];
  for (const attempt of attempts) {
    try {
      attempt();
      return { check, state: "bad", detail: "main still holds a permission that it gave up" };
    } catch (error) {
      if (!(error instanceof Deno.errors.NotCapable)) throw error;
    }
  }
  return { check, state: "ok", detail: "main has given up native code, network and environment access" };
}
