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
  /** Keeps what tools are about to change; `null`: nothing is kept. */
  keep: KeepPath | null;
  /** What calls may write. */
  write: Scope;
  /** Serves the folder of programs that run apart. */
  serveApart: ServeApart;
}

/** Makes the table of all that a room may ask for: one line a service. */
export function makeAnswers(parts: RoomAnswerParts): Answers {
  const { rooms, programs, browser, desktop, state, control, model, keep, write, serveApart } = parts;
  return {
    ...stateAnswers(state),
    ...artifactAnswers,
    ...browserAnswers(browser),
    ...changeAnswers(keep, write),
    ...desktopAnswers(desktop),
    ...documentAnswers(rooms),
    ...modelAnswers(model),
    ...personAnswers(control.ask),
    ...programAnswers(programs, serveApart),
  };
}
