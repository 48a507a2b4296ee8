import type { NarrowPrograms } from "../programs/narrow/narrow_programs.ts";
import type { ProgramNeeds } from "../programs/narrow/program_needs.ts";
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
  /** As those of {@linkcode SessionBrowser}. */
  ownPages?: SessionBrowserParts["ownPages"];
}

/** Makes the browser of a session. Nothing of it is loaded before it is used. */
export function lazyBrowser({ find, programsFor, ...given }: LazyBrowserParts): LazyBrowser {
  let loading: Promise<SessionBrowser> | undefined;
  const load = async () => {
    const [{ SessionBrowser }, { browserNeeds }, { browserBinary }] = await Promise.all([
      import("./session_browser.ts"),
      import("./browser_needs.ts"),
      import("./browser_binary.ts"),
    ]);
    const found = find();
    const path = found && browserBinary(found);
    return new SessionBrowser({ path, programs: programsFor(browserNeeds(path)), ...given });
  };
  return {
    act: async (...given) => await (await (loading ??= load())).act(...given),
    end: async () => await (await loading)?.end(),
  };
}
