import { ToolError } from "../../../schemas/error.ts";
import { readerProfile, type RoomProfile } from "../../rooms/profile.ts";
import type { RoomPool } from "../../rooms/room_pool.ts";
import type { ToolFile } from "./find_tool_files.ts";

/** Longest time that a file takes to be built, and to tell its tools, in milliseconds. */
const BUILD_MS = 30_000;
const DESCRIBE_MS = 10_000;
/** Most memory of the two. */
const BUILD_BYTES = 1_500_000_000;
const DESCRIBE_BYTES = 600_000_000;

/** A file made into one module. */
export interface BuiltModule {
  code: string;
  /** Real paths of all that went in. */
  files: readonly string[];
  /** Paths at which something was looked for, and nothing was there. */
  missing: readonly string[];
}

/**
 * Makes one module of a file and what it imports, in a process that reads the file's package and packages of npm.
 *
 * @param cache Real path of the folder of packages in Deno's cache, `null` if there is none
 * @throws {ToolError} `invalid_input` for code that cannot be read, and for imports that are not there
 */
export async function buildModule(
  rooms: RoomPool,
  { path, root }: ToolFile,
  cache: string | null,
): Promise<BuiltModule> {
  const nothing = readerProfile({ threads: 0, residentBytes: BUILD_BYTES });
  const read = cache === null ? [root] : [root, cache];
  const profile = { ...nothing, read, files: { ...nothing.files, workspace: root, read } };
  const job = { tool: "module/build", input: { file: path, root, cache }, timeoutMs: BUILD_MS };
  return await runJob(rooms, profile, job) as BuiltModule;
}

/**
 * Asks a module which tools it has, in a process that holds nothing. The module's code runs there, so the answer may be
 * anything.
 *
 * @throws {ToolError} `invalid_input` if its code fails, `timeout`, `limit_exceeded`
 */
export async function describeModule(rooms: RoomPool, code: string): Promise<unknown> {
  const profile = readerProfile({ threads: 0, residentBytes: DESCRIBE_BYTES });
  const bytes = new TextEncoder().encode(code);
  return await runJob(rooms, profile, { tool: "module/describe", input: {}, timeoutMs: DESCRIBE_MS, bytes });
}

interface Job {
  tool: string;
  input: unknown;
  timeoutMs: number;
  bytes?: Uint8Array;
}

/** The room serves nothing else: what it read or ran stays in it. */
async function runJob(rooms: RoomPool, profile: RoomProfile, job: Job): Promise<unknown> {
  const room = await rooms.acquire(profile);
  const late = Promise.withResolvers<never>();
  late.promise.catch(() => {});
  const timer = setTimeout(() => late.reject(timedOut(job)), job.timeoutMs);
  const call = { ...job, stopAfterMs: job.timeoutMs, mode: "run" as const, told: { settings: {} } };
  const answer = () => Promise.reject(new ToolError("permission_denied", "nothing is answered here"));
  try {
    const { result, error } = await Promise.race([room.call(call, { answer }), late.promise]);
    if (error) throw new ToolError(error.code, error.message, error);
    return result;
  } finally {
    clearTimeout(timer);
    rooms.discard(room);
  }
}

function timedOut({ tool, timeoutMs }: Job): ToolError {
  const what = tool === "module/build"
    ? "to be built"
    : "to be imported: nothing may run at import but definitions";
  return new ToolError("timeout", `it took longer than ${timeoutMs / 1000} seconds ${what}`);
}
