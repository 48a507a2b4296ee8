/**
 * What a rule opens, with all below it: `list` the names in a folder and nothing else, `read` without execution, `run`
 * with it, `write` is reading and changing, `work` is that with execution, `device` a device of the kernel.
 */
export type RuleKind = "list" | "read" | "run" | "write" | "work" | "device";

/** Opens a path. It must be real: a link on the way fails. */
export type LandlockRule = readonly [path: string, kind: RuleKind];

/** Something that a wall may refuse; how it ended is told as a number of an error, 0 if nothing refused it. */
export type Attempt =
  | { try: "read" | "write" | "list" | "truncate"; path: string }
  | { try: "socket"; family: number; type: number }
  | { try: "tcp" | "udp"; port: number }
  | { try: "unix"; path: string }
  | { try: "abstract"; name: string }
  | { try: "signal" | "trace"; pid: number }
  | { try: "namespace" | "keys" };

/** Everything that the launcher does before it becomes a program. Plain data. */
export interface LaunchPlan {
  /** What is open; all other files are closed. `null` restricts nothing: for attempts in another wall. */
  rules: readonly LandlockRule[] | null;
  /** The TCP ports that may be connected to; `null` leaves them to the filter. */
  ports: readonly number[] | null;
  /** The filter of system calls, in base64; `""` for none. */
  filter: string;
  /** Bounds by the kernel's number of the resource, both as the soft and the hard one. */
  bounds: readonly (readonly [resource: number, most: number])[];
  /** The words of the program; the first is an absolute path. */
  argv: readonly string[];
  /** The whole environment of the program. */
  env: Readonly<Record<string, string>>;
  /** Variables that the program takes over from the launcher, if it has them. */
  keeps: readonly string[];
  /** Tries these and tells what came of them, in place of the program. @default the program */
  attempts?: readonly Attempt[];
}

/** The hidden command that turns the program into the launcher. */
export const LAUNCH_COMMAND = "__launch";

/** A variable for tests: the launcher believes in no newer kernel than that with this version of Landlock. */
export const CAP_NAME = "BULKHEAD_LANDLOCK_ABI";

const NAME = "BULKHEAD_LAUNCH_";
/** One variable holds at most 131,072 bytes, and a character takes up to three. */
const PART = /[^]{1,40000}/g;

/**
 * Returns the variables that bring a plan to the launcher: as arguments, all users would see them, and its stdin is the
 * program's.
 */
export function planVariables(plan: LaunchPlan): Record<string, string> {
  const parts = JSON.stringify(plan).match(PART) ?? [];
  return Object.fromEntries(parts.map((part, at) => [`${NAME}${at}`, part]));
}

/** Reads what {@linkcode planVariables} wrote. */
export function readLaunchPlan(env: (name: string) => string | undefined): LaunchPlan {
  let text = "";
  for (let at = 0; env(`${NAME}${at}`) !== undefined; at++) text += env(`${NAME}${at}`);
  return JSON.parse(text);
}
