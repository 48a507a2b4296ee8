import type { ArtifactAsk } from "./artifacts.ts";
import type { BrowserAsk } from "./browser.ts";
import type { ChangeAsk } from "./changes.ts";
import type { DesktopAsk } from "./desktop.ts";
import type { DocumentAsk } from "./documents.ts";
import type { IgnoreAsk } from "./ignores.ts";
import type { ModelAsk } from "./model.ts";
import type { PersonAsk } from "./person.ts";
import type { ProgramAsk } from "./programs.ts";
import type { StateAsk } from "./state.ts";

/** What a room asks main for in the middle of a call: one type a service. */
export type Ask =
  | StateAsk
  | ArtifactAsk
  | BrowserAsk
  | ChangeAsk
  | DesktopAsk
  | DocumentAsk
  | IgnoreAsk
  | ModelAsk
  | PersonAsk
  | ProgramAsk;
