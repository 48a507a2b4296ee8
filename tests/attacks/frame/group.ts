import { assert, assertEquals } from "@std/assert";
import { dirname } from "@std/path";

import { type Answer, type Call, makeScene, type Scene } from "../../support/cli/scene.ts";
import { isSecret } from "../../../runtime/walls/grants/secret_paths.ts";
import { snapshot } from "../../support/cli/snapshot.ts";
import type { Attack, Place } from "../attack.ts";
import { noteStarts } from "./behind_landlock.ts";
import { fillAll, makePlace, type Way } from "./place.ts";
import { wrongAnswers } from "./verdict.ts";

/** Cases that share one start of the program. */
export interface Group {
  attacks: readonly Attack[];
  /** Runs the group if it did not yet, and says what went wrong with one of its cases. */
  wrongWith(attack: Attack): Promise<string[]>;
}

/** Puts the cases that can share a start together. */
export function groupsOf(attacks: readonly Attack[], way: Way): Group[] {
  const groups = new Map<string, Attack[]>();
  for (const attack of attacks) {
    const isAlone = attack.alone || attack.act || attack.beside;
    const shared = [attack.flags ?? [], attack.env ?? {}];
    // Behind Landlock, a secret of one case would keep the programs of all others from starting.
    const isApart = way.wall === "landlock" && mayHaveSecrets(attack);
    const key = isAlone ? attack.id : JSON.stringify(isApart ? [attack.id, ...shared] : shared);
    groups.set(key, [...groups.get(key) ?? [], attack]);
  }
  return [...groups].map(([key, attacks]) => {
    let outcome: Promise<ReadonlyMap<string, string[]>> | undefined;
    return {
      attacks,
      async wrongWith({ id }) {
        return (await (outcome ??= runGroup(attacks, way, key === id))).get(id) ?? [];
      },
    };
  });
}

/** A script may make any file. */
function mayHaveSecrets({ files = {}, links = {}, setup }: Attack): boolean {
  const paths = [...Object.keys(files), ...Object.keys(links)];
  return setup !== undefined || paths.some((path) => isSecret(`/${path}`, "/"));
}

/** Runs all cases of a group, and returns what went wrong with each. */
async function runGroup(
  attacks: readonly Attack[],
  way: Way,
  isAlone: boolean,
): Promise<ReadonlyMap<string, string[]>> {
  using scene = makeScene();
  const cases: Case[] = [];
  for (const attack of attacks) cases.push(await makeCase(attack, scene, way, isAlone));
  if (way.user.id !== null) giveTo(way.user.id, scene.root);
  const seen = () => {
    const all = { ...snapshot(scene.at("outside")), ...snapshot(scene.at("home")) };
    // The user's own shell writes it at the end of a terminal without a sandbox.
    delete all[scene.at("home/.bash_history")];
    return all;
  };
  const result = new Map<string, string[]>();
  for (const one of cases) {
    const wrong: string[] = [];
    await note(wrong, () => setUp(one));
    result.set(one.attack.id, wrong);
  }
  const befores = cases.map((one) => kept(one));
  const around = seen();
  const answers = await answersOf(cases);
  const now = seen();
  for (const [at, one] of cases.entries()) {
    const wrong = result.get(one.attack.id)!;
    wrong.push(...wrongAnswers(one.attack, one.place, answers[at]!));
    if (way.wall === "landlock") await note(wrong, () => noteStarts(one.attack.id, answers[at]!));
    await note(wrong, () => assertEquals(now, around, "outside or home changed"));
    await note(wrong, () => assertEquals(kept(one), befores[at], "what must stay has changed"));
    await note(wrong, () => checkAbsent(one));
    await note(wrong, () => checkAfter(one, answers[at]!));
    if (wrong.length > 0) wrong.unshift(describe(one, answers[at]!));
  }
  return result;
}

/** A case in its folder. */
interface Case {
  attack: Attack;
  place: Place;
  calls: readonly Call[];
}

async function makeCase(attack: Attack, scene: Scene, way: Way, isAlone: boolean): Promise<Case> {
  const { id } = attack;
  const at = isAlone ? "." : id;
  const [ws, outside] = [isAlone ? scene.ws : scene.at(`ws/${id}`), scene.at(`outside/${id}`)];
  // Where a call could make its own settings, the program makes their folder first.
  for (const folder of [ws, outside, scene.at("home/.config/bulkhead")]) {
    Deno.mkdirSync(folder, { recursive: true });
  }
  const place = await makePlace(scene, way, {
    at,
    ws,
    outside,
    flags: attack.flags ?? [],
    env: attack.env ?? {},
  });
  fillPlace(attack, place, scene.root);
  const calls = (attack.calls ?? []).map(({ tool, arguments: input }) => ({
    tool,
    arguments: fillAll(input, place.fill),
  }));
  return { attack, place, calls };
}

/** Makes the files and links of a case. */
function fillPlace({ id, files = {}, links = {} }: Attack, place: Place, root: string): void {
  const tops = { ws: place.ws, outside: place.outside, home: place.home, state: place.state, root };
  const pathOf = (name: string) => {
    const [top = "", ...rest] = name.split("/");
    if (!(top in tops)) throw new Error(`${id}: no folder "${top}" (of ${name})`);
    const path = `${tops[top as keyof typeof tops]}/${rest.join("/")}`;
    Deno.mkdirSync(dirname(path), { recursive: true });
    return path;
  };
  for (const [name, given] of Object.entries(files)) {
    const content = typeof given === "string" ? place.fill(given) : given;
    const path = pathOf(name);
    const there = /^(home|state|root)\//.test(name) ? existing(path) : null;
    if (there !== null && there !== content) {
      throw new Error(`${id}: ${name} is another case's as well: say "alone"`);
    }
    if (typeof content === "string") Deno.writeTextFileSync(path, content);
    else Deno.writeFileSync(path, content);
  }
  for (const [name, target] of Object.entries(links)) Deno.symlinkSync(place.fill(target), pathOf(name));
}

function existing(path: string): string | null {
  try {
    return Deno.readTextFileSync(path);
  } catch {
    return null;
  }
}

function giveTo(id: number, folder: string): void {
  const { success } = new Deno.Command("chown", { args: ["-hR", `${id}:${id}`, folder] }).outputSync();
  assert(success, "chown");
}

async function setUp({ attack, place }: Case): Promise<void> {
  if (attack.setup === undefined) return;
  const { code, stderr } = await place.bash(attack.setup);
  assertEquals(code, 0, `its setup ended with ${code}: ${stderr}`);
}

/** The answers of each case, all from one batch. */
async function answersOf(cases: readonly Case[]): Promise<Answer[][]> {
  const [first] = cases;
  if (first?.attack.act) {
    await first.attack.act(first.place);
    return [[]];
  }
  const beside = first?.attack.beside === undefined ? null : await startBeside(first);
  const answers = await first!.place.batch(cases.flatMap(({ calls }) => calls));
  await beside?.[Symbol.asyncDispose]();
  return cases.map(({ calls }) => answers.splice(0, calls.length));
}

/** Starts the user's own program that runs beside the calls until they have ended, and waits until it has begun. */
async function startBeside({ attack: { beside, begun }, place }: Case): Promise<AsyncDisposable> {
  const child = place.besides(beside!);
  let hasEnded = false;
  child.status.then(() => hasEnded = true);
  while (begun !== undefined && !hasEnded && (await place.bash(begun)).code !== 0) { /* It looks again. */ }
  return {
    async [Symbol.asyncDispose]() {
      try {
        child.kill("SIGKILL");
      } catch (cause) {
        throw new Error(`what runs beside the calls ended by itself: ${beside}`, { cause });
      }
      await child.status;
    },
  };
}

/** What must stay as it is, byte for byte. */
function kept({ attack, place }: Case): Record<string, string> {
  return Object.assign(
    {},
    ...(attack.unchanged ?? []).map((path) => snapshot(`${place.ws}/${place.fill(path)}`)),
  );
}

function checkAbsent({ attack, place }: Case): void {
  const there = (attack.absent ?? []).filter((path) => {
    try {
      return Deno.lstatSync(`${place.ws}/${place.fill(path)}`) !== null;
    } catch (error) {
      if (error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory) return false;
      throw error;
    }
  });
  assertEquals(there, [], "it is there");
}

async function checkAfter({ attack: { after }, place }: Case, answers: readonly Answer[]): Promise<void> {
  if (after === undefined) return;
  if (typeof after !== "string") return await after(place, answers);
  const { code, stdout, stderr } = await place.bash(after);
  assertEquals(code, 0, `"${after}" ended with ${code}\n${stdout}${stderr}`);
}

async function note(wrong: string[], check: () => void | Promise<void>): Promise<void> {
  try {
    await check();
  } catch (error) {
    wrong.push(error instanceof Error ? error.message : String(error));
  }
}

/** What somebody needs who looks for the cause. */
function describe({ attack, place, calls }: Case, answers: readonly Answer[]): string {
  const lines = calls.map((call, at) =>
    `${JSON.stringify(call).slice(0, 600)}\n  => ${JSON.stringify(answers[at] ?? null).slice(0, 600)}`
  );
  return [`${attack.id} ${attack.title}`, `flags: ${place.flags.join(" ")}`, ...lines].join("\n");
}
