import { lstat } from "../../files/file_facts.ts";
import { installWords, thisMachine } from "../../process/install_words.ts";
import { type BoxFacts, SWITCH_NAMES } from "./lack_of_box.ts";

const STATUS = "/proc/self/status";
const MARKS = ["/.dockerenv", "/run/.containerenv", "/var/run/secrets/kubernetes.io"];

/** Reads what of this system decides whether a box can be made. Needs `read` and `run`. */
export async function readBoxFacts(): Promise<BoxFacts> {
  const files = new Map(SWITCH_NAMES.map((name) => [`/proc/sys/${name.replaceAll(".", "/")}`, name]));
  const lines = await linesOf([STATUS, ...files.keys()]);
  const switches: Record<string, string> = {};
  let isFiltered = false;
  for (const [path, line] of lines) {
    const name = files.get(path);
    if (name !== undefined) switches[name] = line.trim();
    if (path === STATUS && /^Seccomp:\s*2$/.test(line)) isFiltered = true;
  }
  return {
    ...{ switches, isFiltered, install: installWords, isRoot: thisMachine.isRoot },
    isContainer: MARKS.some((path) => lstat(path) !== null),
  };
}

/** Deno itself opens such files only for a program that may do everything. */
async function linesOf(paths: readonly string[]): Promise<[path: string, line: string][]> {
  try {
    const { stdout } = await new Deno.Command("/bin/grep", {
      args: ["-sH", "", "--", ...paths],
      ...{ clearEnv: true, stdin: "null", stderr: "null" },
    }).output();
    return new TextDecoder().decode(stdout).split("\n").filter(Boolean).map((row) => {
      const at = row.indexOf(":");
      return [row.slice(0, at), row.slice(at + 1)];
    });
  } catch {
    // Without it, less is known of the cause.
    return [];
  }
}
