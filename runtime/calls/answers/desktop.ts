import type { LazyDesktop } from "../../desktop/lazy_desktop.ts";
import type { Answers } from "../answer_ask.ts";

/** Uses the desktop of the session, for tools that declare that they run programs. */
export function desktopAnswers(desktop: LazyDesktop): Answers {
  return {
    "desktop.act"({ action }, { tool: { needs, toolset }, program: call }) {
      if (needs.run === undefined) {
        throw new Error(
          `a tool of ${toolset} asked for the desktop without having declared that it needs run`,
        );
      }
      return desktop.act(action, { call });
    },
  };
}
