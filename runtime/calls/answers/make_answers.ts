import type { Model } from "../../../schemas/agent/model.ts";
import type { Scope } from "../../../schemas/grants.ts";
import type { ProgramHost } from "../../programs/process/program_host.ts";
import type { RoomPool } from "../../rooms/room_pool.ts";
import type { ToolState } from "../../state/tool_state.ts";
import type { Answers } from "../answer_ask.ts";
import type { LazyDesktop } from "../../desktop/lazy_desktop.ts";
import type { CallControl } from "../control.ts";
import type { LazyBrowser } from "../../browser/lazy_browser.ts";
import { artifactAnswers } from "./artifacts.ts";
import { browserAnswers } from "./browser.ts";
import { changeAnswers, type KeepPath } from "./changes.ts";
import { desktopAnswers } from "./desktop.ts";
import { documentAnswers } from "./documents.ts";
import { ignoreAnswers, type IgnoreParts } from "./ignores.ts";
import { modelAnswers } from "./model.ts";
import { personAnswers } from "./person.ts";
import { programAnswers, type ServeApart } from "./programs.ts";
import { stateAnswers } from "./state.ts";

/** What answers the questions of rooms. */
export interface RoomAnswerParts {
  rooms: RoomPool;
  programs: ProgramHost;
  browser: LazyBrowser;
  desktop: LazyDesktop;
  state: ToolState;
  control: Pick<CallControl, "ask">;
  /** The model of the run; `null` if there is none. */
  model: Model | null;
  /** Keeps what tools are about to change, of what calls may write; `keep` is `null`: nothing is kept. */
  changes: { keep: KeepPath | null; write: Scope };
  /** Finds what git ignores. */
  ignores: IgnoreParts;
  /** Serves the folder of programs that run apart. */
  serveApart: ServeApart;
}

/** Makes the table of all that a room may ask for: one line a service. */
export function makeAnswers(parts: RoomAnswerParts): Answers {
  const { rooms, programs, browser, desktop, state, control, model, changes, ignores, serveApart } = parts;
  return {
    ...stateAnswers(state),
    ...artifactAnswers,
    ...browserAnswers(browser),
    ...changeAnswers(changes.keep, changes.write),
    ...desktopAnswers(desktop),
    ...documentAnswers(rooms),
    ...ignoreAnswers(ignores),
    ...modelAnswers(model),
    ...personAnswers(control.ask),
    ...programAnswers(programs, serveApart),
  };
}
