import { ToolError } from "../../../schemas/error.ts";
import { findProgram } from "../../walls/files/find_program.ts";
import { PROGRAM_BOX_HOLDS } from "../../programs/box/program_box.ts";
import { onOneLine } from "../../text/strip_controls.ts";
import { trustedPath } from "../../walls/files/trusted_path.ts";
import { VERSION } from "../../self/version.ts";
import { type Io, print } from "../io/io.ts";
import { jsonLine } from "../../text/json_line.ts";
import type { Invocation } from "../args/parse_argv.ts";
import type { Host } from "../../host/open_host.ts";
import { keepOnly, openRun } from "../setup/open_run.ts";

/** One thing that `doctor` looked at. `warn` is worth knowing, `bad` makes the program unfit. */
interface Finding {
  check: string;
  state: "ok" | "warn" | "bad";
  detail: string;
}

/** Longest time for a trial, in milliseconds. */
const TRIAL_MS = 10_000;

/** `doctor`: checks this machine with real operations. Exit code 0, or 1 if something is bad. */
export async function doctor({ options }: Invocation, io: Io): Promise<number> {
  const path = io.env("PATH") ?? "/usr/bin:/bin";
  const manifest = await io.manifest();
  await using run = openRun(options, io, { manifest });
  keepOnly(manifest.tools, run, options);
  const searchPath = trustedPath(path, run.grants);
  const findings = [
    versions(),
    workspace(run),
    configuration(run),
    await boxFinding(run),
    memoryBound(findProgram("prlimit", searchPath)),
    await rooms(run),
    await programs(run),
    terminals(findProgram("script", searchPath)),
    mainPermissions(),
  ];
  const healthy = findings.every(({ state }) => state !== "bad");
  await print(io, options.json ? jsonLine({ healthy, findings }) : render(findings));
  return healthy ? 0 : 1;
}

function versions(): Finding {
  const { deno, v8 } = Deno.version;
  const built = Deno.build.standalone ? "compiled" : "from source";
  return { check: "version", state: "ok", detail: `bulkhead ${VERSION} ${built}, Deno ${deno}, V8 ${v8}` };
}

function workspace({ grants }: Host): Finding {
  const { commands, workspace } = grants;
  return { check: "workspace", state: "ok", detail: `${workspace}, policy ${commands.name}` };
}

function configuration({ loaded: { userFile, projectFile } }: Host): Finding {
  return {
    check: "config",
    state: "ok",
    detail: [userFile, projectFile].filter((file) => file !== null).join(", ") || "no configuration files",
  };
}

async function boxFinding({ box }: Host): Promise<Finding> {
  const state = await box.state();
  if (state.works) {
    const held =
      "the file system beyond the permissions, network, other processes, secrets at the top of granted folders";
    return { check: "sandbox", state: "ok", detail: `${state.bwrap} works; for rooms it blocks ${held}` };
  }
  const loss = "without it a link that is swapped while a tool opens it can lead outside the grants";
  return {
    check: "sandbox",
    state: "warn",
    detail: `no sandbox: ${state.reason}; ${loss}; install it with: apt-get install bubblewrap`,
  };
}

function memoryBound(prlimit: string | null): Finding {
  return prlimit === null
    ? {
      check: "memory",
      state: "warn",
      detail: "prlimit is missing: the memory of room processes is not bounded",
    }
    : { check: "memory", state: "ok", detail: `${prlimit} bounds the memory of room processes` };
}

/** Opens a real room and runs a call: a room that finds a hole in its walls does not open. */
async function rooms({ catalog }: Host): Promise<Finding> {
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
async function programs({ box, programs: host }: Host): Promise<Finding> {
  const check = "programs";
  if (!await box.isUsed()) {
    const detail = "without a sandbox a program runs only under policy coder and if --allow-run names it, " +
      "and then with all that you may do";
    return { check, state: "warn", detail };
  }
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
    const { exitCode, durationMs } = await host.run({ argv: ["true"] }, call);
    if (exitCode === 0) {
      const held = PROGRAM_BOX_HOLDS.join(", ");
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

function terminals(script: string | null): Finding {
  return script === null
    ? { check: "terminals", state: "warn", detail: "no terminals: script is missing, install util-linux" }
    : { check: "terminals", state: "ok", detail: `${script} makes terminals` };
}

/** Tries the permissions that main gave up: asking Deno for them is not enough. */
function mainPermissions(): Finding {
  const check = "main";
  for (const attempt of [() => Deno.listen({ port: 0 }).close(), () => Deno.env.get("PATH")]) {
    try {
      attempt();
      return { check, state: "bad", detail: "main still holds a permission that it gave up" };
    } catch (error) {
      if (!(error instanceof Deno.errors.NotCapable)) throw error;
    }
  }
  return { check, state: "ok", detail: "main has given up network and environment access" };
}

function render(findings: readonly Finding[]): string {
  return findings.map(({ check, state, detail }) =>
    `${state.padEnd(5)}${check.padEnd(11)}${onOneLine(detail)}\n`
  ).join(
    "",
  );
}
