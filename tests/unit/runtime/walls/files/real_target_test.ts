import { assert, assertEquals } from "@std/assert";
import { join, relative } from "@std/path";

import { pathForms, realTarget } from "../../../../../runtime/walls/files/real_target.ts";
import { decide } from "../../../../../runtime/walls/grants/permission.ts";
import type { Verdict } from "../../../../../schemas/permission.ts";

/** Spellings of one run of the fuzz; more with this variable of the environment. */
const SPELLINGS = Number(Deno.env.get("BULKHEAD_FUZZ") ?? 400);
const SEED = 20_260_711;

/** A workspace with folders, files and links inside it and out of it. */
async function workspaceWithLinks(): Promise<{ root: string; workspace: string; home: string }> {
  const root = await Deno.realPath(await Deno.makeTempDir());
  const workspace = join(root, "ws");
  const home = join(root, "home");
  for (const folder of ["ws/src/x/y", "ws/docs", "ws/~", "home/src", "outside/src"]) {
    await Deno.mkdir(join(root, folder), { recursive: true });
  }
  for (const file of ["ws/Makefile", "ws/secret.txt", "ws/src/a", "ws/src/cafe\u0301", "ws/~/n", "home/n"]) {
    await Deno.writeTextFile(join(root, file), "");
  }
  const links = {
    "ws/link": "secret.txt",
    "ws/src/link": "..",
    "ws/src/out": "../../outside",
    "ws/docs/in": "../src",
    "ws/docs/new": "../src/not/yet",
    "ws/src/abs": join(root, "ws"),
    "ws/src/x/far": "../../docs/in/x",
    "ws/src/loop": "loop",
    "outside/back": "../ws/src",
  };
  for (const [link, target] of Object.entries(links)) await Deno.symlink(target, join(root, link));
  return { root, workspace, home };
}

/** The system's own answers: where each path leads, also if nothing is there. */
async function systemTargets(paths: readonly string[]): Promise<string[]> {
  const args = ["-mz", "--", ...paths];
  const { stdout } = await new Deno.Command("realpath", { args, stderr: "null" }).output();
  return new TextDecoder().decode(stdout).split("\0").slice(0, -1);
}

/** Numbers that are the same in each run. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** Patterns, and what they mean for a path relative to the workspace. */
const PATTERNS: readonly (readonly [string, (form: string) => boolean])[] = [
  ["src/*", (form) => form.startsWith("src/")],
  ["*secret*", (form) => form.includes("secret")],
  ["Makefile", (form) => form === "Makefile"],
];

const NAMES = [
  ...["src", "x", "y", "docs", "a", "Makefile", "secret.txt", "link", "out", "in", "new", "abs", "far"],
  ...["..", "..", "..", ".", "", "~", "n", "SRC", "back", "cafe\u0301", "caf\u00e9", "absent", " "],
];

function spelling(next: (below: number) => number, { root, workspace }: { root: string; workspace: string }) {
  const leads = ["", "", "", "", "./", "../ws/", `${workspace}/`, `${workspace}//./`, `${root}/`, "/", "~/"];
  const names = Array.from({ length: 1 + next(6) }, () => NAMES[next(NAMES.length)]!);
  return leads[next(leads.length)]! + names.join("/") + ["", "", "/", "/."][next(4)];
}

Deno.test("Conditions on a path follow what the system makes of it, however it is spelled", async () => {
  const place = await workspaceWithLinks();
  const { root, workspace, home } = place;
  try {
    const next = numbers(SEED);
    const spellings = Array.from({ length: SPELLINGS }, () => spelling(next, place));
    const absolute = spellings.map((path) => path.startsWith("/") ? path : `${workspace}/${path}`);
    const reals = await systemTargets(absolute);
    assertEquals(reals.length, SPELLINGS);
    for (const [at, real] of reals.entries()) {
      const spelled = spellings[at]!;
      assertEquals(realTarget(spelled, { workspace, aliases: [] }), real, spelled);
      const paths = new Map([["path", pathForms(spelled, { workspace, home: "", aliases: [] })]]);
      const inside = real === workspace || real.startsWith(`${workspace}/`);
      const form = inside ? relative(workspace, real) || "." : real;
      const decided = (then: Verdict, otherwise: Verdict, path: string) =>
        decide({ when: { path }, then, otherwise }, { input: { path: spelled }, role: null, paths });
      assertEquals(decided("allow", "deny", form), "allow", spelled);
      for (const [pattern, isMeant] of PATTERNS) {
        const holds = isMeant(form);
        assertEquals(decided("allow", "deny", pattern), holds ? "allow" : "deny", `${pattern} ${spelled}`);
        if (holds) assertEquals(decided("deny", "allow", pattern), "deny", `${pattern} ${spelled}`);
      }
      const withHome = pathForms(spelled, { workspace, home, aliases: [] });
      assert(withHome.real.includes(real), spelled);
    }
  } finally {
    await Deno.remove(root, { recursive: true });
  }
});

/** What a permission of two verdicts says to a spelling, by its patterns. */
const SPELLED: readonly (readonly [spelled: string, pattern: string, allows: boolean, denies: boolean])[] = [
  ["src/../Makefile", "src/*", false, false],
  ["src//../Makefile", "src/*", false, false],
  ["src/x/../../package.json", "src/*", false, false],
  ["src/link/Makefile", "src/*", false, true],
  ["src/link/x/z", "src/*", false, true],
  ["./src/a", "src/*", true, true],
  ["src//a", "src/*", true, true],
  ["src/a", "./src/*", true, true],
  ["src/x/", "src/x", true, true],
  ["src/x", "src/x/", true, true],
  ["docs/in/a", "src/*", true, true],
  ["docs/in/a", "docs/*", false, true],
  ["docs/new", "src/*", true, true],
  ["src/not/yet/there", "src/*", true, true],
  ["link", "*secret*", true, true],
  ["docs/../link", "*secret*", true, true],
  ["src/cafe\u0301", "src/caf\u00e9", false, true],
  ["src/out/f", "src/*", false, true],
  ["src/loop", "src/*", false, true],
  [".", "*", true, true],
  ["~/n", "src/*", false, false],
  ["~/n", "~/n", false, true],
  ["~/n", "*", true, true],
];

Deno.test("Conditions allow by what a path leads to alone, and deny by its spelling as well", async () => {
  const { root, workspace, home } = await workspaceWithLinks();
  try {
    for (const [path, pattern, allows, denies] of SPELLED) {
      const call = { input: { path }, role: null };
      const paths = new Map([["path", pathForms(path, { workspace, home, aliases: [] })]]);
      const when = { path: pattern };
      const said = `${JSON.stringify(path)} and ${pattern}`;
      assertEquals(decide({ when }, { ...call, paths }), allows ? "allow" : "deny", said);
      assertEquals(decide({ when, then: "confirm" }, { ...call, paths }), allows ? "confirm" : "deny", said);
      const denial = { when, then: "deny", otherwise: "allow" } as const;
      assertEquals(decide(denial, { ...call, paths }), denies ? "deny" : "allow", said);
    }
    const given = `${workspace}/src/a`;
    const forms = pathForms(given, { workspace, home, aliases: [] });
    for (const path of ["src/*", `${workspace}/src/*`]) {
      assertEquals(
        decide({ when: { path } }, { input: { path: given }, role: null, paths: new Map([["path", forms]]) }),
        "allow",
      );
    }
  } finally {
    await Deno.remove(root, { recursive: true });
  }
});
