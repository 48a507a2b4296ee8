import { fromFileUrl } from "@std/path";

import { denoDir } from "../../support/deno_dir.ts";
import { hasProgram } from "../../support/needed_programs.ts";
import { program } from "../../support/program.ts";
import { TIER } from "../../support/tier.ts";
import { exists } from "../../../runtime/walls/files/file_facts.ts";
import type { Attack, Wall } from "../attack.ts";

/** Somebody who runs the program. */
export interface User {
  name: string;
  isRoot: boolean;
  /** The owner of what lies there before, `null` for the test's own user. */
  id: number | null;
  /** Words before a command that make it the user's. */
  before: readonly string[];
  /** Returns the words that start the program, and where Deno keeps what it loaded. */
  prepare(): Promise<Prepared>;
}

interface Prepared {
  program: readonly string[];
  denoDir: string;
}

/** A user without a name. */
const ORDINARY_ID = 12345;
const ROOT = fromFileUrl(new URL("../../..", import.meta.url)).replace(/\/$/, "");
const SCRIPT = fromFileUrl(new URL("prepare_user.sh", import.meta.url));
const isRoot = Deno.uid() === 0;

const oneself: User = {
  name: isRoot ? "root" : "the user of the tests",
  isRoot,
  id: null,
  before: [],
  prepare: () => Promise.resolve({ program: program(), denoDir: denoDir() }),
};

let prepared: Promise<Prepared> | undefined;

const ordinary: User = {
  name: "an ordinary user",
  isRoot: false,
  id: ORDINARY_ID,
  before: ["/usr/bin/env", "setpriv", `--reuid=${ORDINARY_ID}`, `--regid=${ORDINARY_ID}`, "--clear-groups"],
  prepare: () => prepared ??= prepareOrdinary(),
};

/** Everybody as whom cases can run: whoever runs the tests and, if that is root, an ordinary user. */
export const EVERYBODY: readonly User[] = isRoot && hasProgram("setpriv") ? [oneself, ordinary] : [oneself];

/**
 * As whom a case is tried: oneself in a sample, an ordinary user at a landing, everybody before a release. What root's rights
 * could change is tried as everybody at a landing, too, but for Landlock: there root has none of its rights.
 */
export function usersOf({ needs = [], asRoot = false }: Attack, wall: Wall): readonly User[] {
  if (TIER === "quick") return [oneself];
  const isOfRoot = wall !== "landlock" && (asRoot || needs.includes("root"));
  return TIER === "soak" || isOfRoot ? EVERYBODY : EVERYBODY.slice(-1);
}

/** Makes root's program and cache usable for a user who cannot look into root's home. */
async function prepareOrdinary(): Promise<Prepared> {
  const [binary = "", ...words] = program();
  const own = `${Deno.env.get("TMPDIR") ?? "/tmp"}/bulkhead-attacks-${Deno.pid}`;
  const takes = (verb: string) =>
    new Deno.Command("bash", {
      args: [SCRIPT, verb, own, name, String(ORDINARY_ID), binary, ROOT, denoDir()],
    });
  const name = crypto.randomUUID();
  const { success, stderr } = await takes("take").output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
  globalThis.addEventListener("unload", () => void takes("leave").outputSync());
  const source = exists(`${own}/source/main.ts`) ? `${own}/source` : ROOT;
  return {
    program: [`${own}/program`, ...words.map((word) => word.replace(`${ROOT}/main.ts`, `${source}/main.ts`))],
    denoDir: `${own}/cache`,
  };
}
