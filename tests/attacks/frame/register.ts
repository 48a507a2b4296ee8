import { boxWorks } from "../../support/box.ts";
import { hasProgram } from "../../support/needed_programs.ts";
import type { Attack, Kind } from "../attack.ts";
import { type Group, groupsOf } from "./group.ts";
import { EVERYBODY, type User, USERS } from "./user.ts";

/** Cases of one kind that a file gave. */
interface Given {
  kind: Kind;
  attacks: readonly Attack[];
}

/** All cases that files gave in this process. */
const given: Given[] = [];
let isCounting = false;

/** Registers the tests of a kind; while cases are counted, only remembers them. */
export function registerAttacks(kind: Kind, attacks: readonly Attack[]): void {
  given.push({ kind, attacks });
  if (isCounting) return;
  for (const boxed of [true, false]) registerIn(boxed, attacks);
}

/** Returns the cases of a file, and registers none of them. A file is looked at once. */
export async function casesIn({ href }: URL): Promise<Given[]> {
  isCounting = true;
  await import(href);
  isCounting = false;
  return given.splice(0);
}

function registerIn(boxed: boolean, attacks: readonly Attack[]): void {
  const groups = new Map<string, Group>();
  for (const user of USERS) {
    const here = attacks.filter((attack) => missing(attack, boxed, [user]) === "");
    for (const group of groupsOf(here, { boxed, user })) {
      for (const { id } of group.attacks) groups.set(`${user.name} ${id}`, group);
    }
  }
  // Some weaknesses are only stated.
  for (const attack of attacks.filter(({ calls, act }) => calls || act)) {
    const why = missing(attack, boxed, USERS);
    // What a case cannot be is no test: it was not left out.
    if (why === "of another wall") continue;
    // What only those can try who are left out this time was not left out either.
    if (why !== "" && missing(attack, boxed, EVERYBODY) === "") continue;
    const where = boxed ? "in a sandbox" : "without a sandbox";
    Deno.test({
      name: `${attack.id} ${attack.open ? "(open) " : ""}${attack.title}, ${where}${why && ` (${why})`}`,
      ignore: why !== "",
      fn: () => tryAs(attack, USERS, groups),
    });
  }
}

/** Tries a case as each user, and tells of all that went wrong. */
async function tryAs(
  attack: Attack,
  users: readonly User[],
  groups: ReadonlyMap<string, Group>,
): Promise<void> {
  const wrong: string[] = [];
  for (const user of users) {
    const group = groups.get(`${user.name} ${attack.id}`);
    if (group) wrong.push(...(await group.wrongWith(attack)).map((what) => `as ${user.name}: ${what}`));
  }
  if (wrong.length > 0) throw new Error(wrong.join("\n\n"));
}

/** Says what a case lacks here; empty if nothing. */
function missing({ needs = [], why = "" }: Attack, boxed: boolean, users: readonly User[]): string {
  if (needs.includes(boxed ? "no sandbox" : "sandbox")) return "of another wall";
  if (boxed && !boxWorks) return "needs bubblewrap";
  const lacks = needs.find((need) =>
    (need === "root" && !users.some(({ isRoot }) => isRoot)) ||
    (need === "ordinary user" && users.every(({ isRoot }) => isRoot)) ||
    (need.startsWith("program ") && !hasProgram(need.slice("program ".length)))
  );
  return lacks ? `needs ${lacks.replace("program ", "")}${why && `: ${why}`}` : "";
}
