import { boxWorks, landlockLack } from "../../support/box.ts";
import { hasProgram } from "../../support/needed_programs.ts";
import { TIER } from "../../support/tier.ts";
import type { Attack, Kind, Wall } from "../attack.ts";
import { isTriedBehindLandlock } from "./behind_landlock.ts";
import { type Group, groupsOf } from "./group.ts";
import type { Way } from "./place.ts";
import { EVERYBODY, type User, usersOf } from "./user.ts";

/** Cases of one kind that a file gave. */
interface Given {
  kind: Kind;
  attacks: readonly Attack[];
}

/** All cases that files gave in this process. */
const given: Given[] = [];
let isCounting = false;

const WHERE: Readonly<Record<Wall, string>> = {
  namespaces: "in a sandbox",
  landlock: "behind Landlock",
  none: "without a sandbox",
};
const WALLS = Object.keys(WHERE) as Wall[];

/** Registers the tests of a kind; while cases are counted, only remembers them. */
export function registerAttacks(kind: Kind, attacks: readonly Attack[]): void {
  for (const attack of attacks) checkBeside(attack);
  given.push({ kind, attacks });
  if (isCounting) return;
  for (const wall of WALLS) {
    for (const attack of attacks.filter((one) => isTried(one, wall))) registerIn(wall, kind, attack);
  }
}

/** Some weaknesses are only stated. Of the sample, a third is tried behind Landlock. */
function isTried({ id, calls, act, quick }: Attack, wall: Wall): boolean {
  const isSampled = quick === true && (wall !== "landlock" || Number(id.split("-")[1]) % 3 === 0);
  return Boolean(calls || act) && (TIER !== "quick" || isSampled);
}

/** What a shell starts is not killed with it: it would stay for ever. */
function checkBeside({ id, beside }: Attack): void {
  if (beside !== undefined && !beside.startsWith("exec ")) {
    throw new Error(`${id}: what runs beside the calls is one program, "exec …", so that it can be ended`);
  }
}

/** Returns the cases of a file, and registers none of them. A file is looked at once. */
export async function casesIn({ href }: URL): Promise<Given[]> {
  isCounting = true;
  await import(href);
  isCounting = false;
  return given.splice(0);
}

function registerIn(wall: Wall, kind: Kind, attack: Attack): void {
  const users = usersOf(attack, wall);
  const why = missing(attack, { kind, wall }, users);
  // What a case cannot be is no test: it was not left out.
  if (why === "of another wall") return;
  // What only those can try who are left out this time was not left out either.
  if (why !== "" && missing(attack, { kind, wall }, EVERYBODY) === "") return;
  Deno.test({
    name: `${attack.id} ${attack.open ? "(open) " : ""}${attack.title}, ${WHERE[wall]}${why && ` (${why})`}`,
    ignore: why !== "",
    fn: () => tryAs(attack, kind, wall),
  });
}

/** Tries a case as each user, and tells of all that went wrong. */
async function tryAs(attack: Attack, kind: Kind, wall: Wall): Promise<void> {
  const wrong: string[] = [];
  for (const user of usersOf(attack, wall)) {
    if (missing(attack, { kind, wall }, [user]) !== "") continue;
    const told = await groupOf(attack, kind, { wall, user }).wrongWith(attack);
    wrong.push(...told.map((what) => `as ${user.name}: ${what}`));
  }
  if (wrong.length > 0) throw new Error(wrong.join("\n\n"));
}

/** The groups of a kind, by wall and user: made when the first of them is tried, from all files of this process. */
const groups = new Map<string, readonly Group[]>();

function groupOf(attack: Attack, kind: Kind, way: Way): Group {
  const key = `${kind} ${way.wall} ${way.user.name}`;
  let made = groups.get(key);
  if (!made) {
    const attacks = given.filter((file) => file.kind === kind).flatMap(({ attacks }) => attacks);
    const isHere = (one: Attack) =>
      isTried(one, way.wall) && usersOf(one, way.wall).includes(way.user) &&
      missing(one, { kind, wall: way.wall }, [way.user]) === "";
    made = groupsOf(attacks.filter(isHere), way);
    groups.set(key, made);
  }
  const group = made.find(({ attacks }) => attacks.includes(attack));
  if (!group) throw new Error(`${attack.id} is in no group`);
  return group;
}

/** The browser needs namespaces. */
const STARTS_NOT: readonly Kind[] = [18];

/** Says what a case lacks here; empty if nothing. */
function missing(
  { id, needs = [], why = "" }: Attack,
  { kind, wall }: { kind: Kind; wall: Wall },
  users: readonly User[],
): string {
  if (wall === "landlock" && (STARTS_NOT.includes(kind) || !isTriedBehindLandlock(id))) {
    return "of another wall";
  }
  const isOther = needs.includes(wall === "none" ? "sandbox" : "no sandbox");
  if (isOther) return "of another wall";
  if (wall === "namespaces" && !boxWorks) return "needs bubblewrap";
  if (wall === "landlock" && landlockLack !== null) return `needs Landlock: ${landlockLack}`;
  const lacks = needs.find((need) =>
    (need === "root" && !users.some(({ isRoot }) => isRoot)) ||
    (need === "ordinary user" && users.every(({ isRoot }) => isRoot)) ||
    (need.startsWith("program ") && !hasProgram(need.slice("program ".length)))
  );
  return lacks ? `needs ${lacks.replace("program ", "")}${why && `: ${why}`}` : "";
}
