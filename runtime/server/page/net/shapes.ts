import type { z } from "zod";

import type { Folders, ServerInfo } from "../../api/call_operations.ts";
import type {
  AnswerRun,
  Question,
  ResumeRun,
  RunDetail,
  RunFiles,
  RunInfo,
  RunList,
  StartRun,
  UndoResult,
} from "../../api/run_schemas.ts";

/** What the server is. */
export type Info = z.infer<typeof ServerInfo>;
/** A folder, to choose from. */
export type FolderList = z.infer<typeof Folders>;
/** A row of the list of runs. */
export type RunRow = z.infer<typeof RunInfo>;
/** A page of the list of runs. */
export type RunRows = z.infer<typeof RunList>;
/** How a run stands. */
export type RunNow = z.infer<typeof RunDetail>;
/** What a run left. */
export type LeftFiles = z.infer<typeof RunFiles>;
/** What was put back. */
export type Undone = z.infer<typeof UndoResult>;
/** What a person is asked. */
export type Asking = z.infer<typeof Question>;
/** What a new run is asked to do. */
export type NewRun = z.infer<typeof StartRun>;
/** How a run goes on. */
export type MoreOfRun = z.infer<typeof ResumeRun>;
/** What a person answers. */
export type Answering = z.infer<typeof AnswerRun>;
/** A source that a run used. */
export interface NumberedSource {
  number: number;
  title: string;
  url: string;
}
