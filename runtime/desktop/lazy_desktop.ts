import type { Grants } from "../../schemas/grants.ts";
import type { NarrowPrograms } from "../programs/narrow/narrow_programs.ts";
import type { ProgramNeeds } from "../programs/narrow/program_needs.ts";
import { BOXED_PROGRAMS } from "../walls/grants/policies.ts";
import type { SessionDesktop } from "./session_desktop.ts";
import { openUserDisplay, type UserDisplay } from "./user_display.ts";

/** The desktop of a session, loaded with the first call that uses it. */
export interface LazyDesktop extends Pick<SessionDesktop, "act" | "end"> {}

/** What the desktop of a session is made of. */
export interface LazyDesktopParts {
  /** Finds a program of the machine; `null` if there is none. */
  find(name: string): string | null;
  /** Words of a program that is started with it, parted by blanks. @default none is */
  start?: string | undefined;
  /** The user's variables, if the user's own display is used. @default it is not */
  userDisplay?: Readonly<Record<string, string>>;
  grants: Grants;
  /** Makes programs that may touch what they need, and nothing else. */
  programsFor(needs: ProgramNeeds): NarrowPrograms;
  /** Whether programs run in a sandbox. */
  isBoxed(): Promise<boolean>;
}

/** Makes the desktop of a session. Nothing of it is loaded before it is used. */
export function lazyDesktop(parts: LazyDesktopParts): LazyDesktop {
  let loading: Promise<SessionDesktop> | undefined;
  const own = parts.userDisplay && connectEarly(parts.userDisplay);
  const load = async () => {
    const { find, start = "", grants, programsFor, isBoxed } = parts;
    const [{ SessionDesktop }, { findDesktop, menuEntries }] = await Promise.all([
      import("./session_desktop.ts"),
      import("./find_desktop.ts"),
    ]);
    const { run } = grants.allow;
    return new SessionDesktop({
      found: findDesktop(find),
      menu: menuEntries(run === true ? [] : run.filter((name) => name !== BOXED_PROGRAMS), {
        find,
        isRoot: Deno.uid() === 0,
      }),
      start: start.split(/\s+/).filter((word) => word !== ""),
      programs: programsFor(needsOf(grants)),
      isBoxed,
      ...own && { own },
    });
  };
  return {
    act: async (...given) => await (await (loading ??= load())).act(...given),
    async end() {
      await (await loading)?.end();
      await (await own?.catch(() => null))?.connection.close();
    },
  };
}

/** This process gives up the network before the first call. */
function connectEarly(env: Readonly<Record<string, string>>): Promise<UserDisplay> {
  const opening = openUserDisplay(env);
  // The first call hears of it.
  opening.catch(() => {});
  return opening;
}

/** What the programs of the desktop may touch: what programs of calls may. */
function needsOf({ netNamed, privateNet }: Grants): ProgramNeeds {
  const net = netNamed === true || privateNet === true ? true : [...new Set([...netNamed, ...privateNet])];
  return { read: true, write: true, net };
}
