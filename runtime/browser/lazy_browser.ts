import type { Grants } from "../../schemas/grants.ts";
import type { NetRules } from "../../schemas/net.ts";
import type { DrivenPipe } from "../programs/narrow/driven_program.ts";
import type { NarrowPrograms } from "../programs/narrow/narrow_programs.ts";
import type { ProgramNeeds } from "../programs/narrow/program_needs.ts";
import { toolRules } from "../walls/net/net_rules.ts";
import type { LoopbackDoor } from "./browser_start.ts";
import type { SessionBrowser, SessionBrowserParts } from "./session_browser.ts";

/** The browser of a session, loaded with the first call that uses it. */
export interface LazyBrowser extends Pick<SessionBrowser, "act" | "end"> {}

/** What the browser of a session is made of. */
export interface LazyBrowserParts {
  /** Finds the browser of the user; `null` if there is none. */
  find(): string | null;
  /** Makes programs that may touch what they need, and nothing else. */
  programsFor(needs: ProgramNeeds): NarrowPrograms;
  /** Whether programs run in a sandbox. */
  isBoxed(): Promise<boolean>;
  /** What the run is granted. */
  grants: Grants;
  /** Opens a port of the gate on this machine's loopback. */
  openDoor(to: { who: string; rules: NetRules }): Promise<LoopbackDoor>;
  /** Address of a browser of the user's that is used in the place of another one. @default one is started */
  userBrowser?: string | undefined;
  /** As those of {@linkcode SessionBrowser}. */
  ownPages?: SessionBrowserParts["ownPages"];
}

/** Makes the browser of a session. Nothing of it is loaded before it is used. */
export function lazyBrowser(
  { find, programsFor, isBoxed, ownPages, userBrowser, ...parts }: LazyBrowserParts,
): LazyBrowser {
  const user = userBrowser === undefined ? null : {
    pipe: connectEarly(userBrowser, parts.grants),
    rules: toolRules("granted", parts.grants),
  };
  let loading: Promise<SessionBrowser> | undefined;
  const load = async () => {
    const [{ SessionBrowser }, { browserNeeds }, { browserBinary }] = await Promise.all([
      import("./session_browser.ts"),
      import("./browser_needs.ts"),
      import("./browser_binary.ts"),
    ]);
    const found = find();
    const path = found && browserBinary(found);
    const needs = browserNeeds(path);
    // What the user calls the browser is what the user names to let it run.
    const outside = { path: found, openDoor: () => openFor(needs, found ?? "", parts) };
    return new SessionBrowser({ path, programs: programsFor(needs), isBoxed, outside, ownPages, user });
  };
  return {
    act: async (...given) => await (await (loading ??= load())).act(...given),
    async end() {
      await (await loading)?.end();
      await (await user?.pipe.catch(() => null))?.close();
    },
  };
}

/** This process gives up the network before the first call. */
function connectEarly(address: string, grants: Grants): Promise<DrivenPipe> {
  const opening = import("./user_browser.ts").then(({ openUserBrowser }) => openUserBrowser(address, grants));
  // The first call hears of it.
  opening.catch(() => {});
  return opening;
}

/** The same rules as those of its programs. */
async function openFor(
  needs: ProgramNeeds,
  who: string,
  { grants, openDoor }: Pick<LazyBrowserParts, "grants" | "openDoor">,
): Promise<LoopbackDoor> {
  const [{ programRules }, { narrowToNeeds }] = await Promise.all([
    import("../walls/net/net_rules.ts"),
    import("../programs/narrow/program_needs.ts"),
  ]);
  return await openDoor({ who, rules: programRules(narrowToNeeds(grants, needs)) });
}
