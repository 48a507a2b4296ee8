import type { LazyBrowser } from "../../browser/lazy_browser.ts";
import type { Answers } from "../answer_ask.ts";

/** Uses the browser of the session, for tools that declare that they reach the network and run programs. */
export function browserAnswers(browser: LazyBrowser): Answers {
  return {
    "browser.act"({ action, picture }, { tool: { needs, toolset }, program: call }) {
      if (needs.net === undefined || needs.run === undefined) {
        throw new Error(
          `a tool of ${toolset} asked for the browser without having declared that it needs net and run`,
        );
      }
      return browser.act(action, { picture, call });
    },
  };
}
