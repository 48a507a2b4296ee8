import type { ToolContext } from "../../../schemas/context.ts";
import { askedArtifacts } from "./artifacts.ts";
import type { Ask } from "./ask.ts";
import type { Asker } from "./asker.ts";
import { askedBrowser } from "./browser.ts";
import { askedDesktop } from "./desktop.ts";
import { askedDocuments } from "./documents.ts";
import { askedIgnores } from "./ignores.ts";
import { askedModel } from "./model.ts";
import { askedPerson } from "./person.ts";
import { askedPrograms } from "./programs.ts";
import { askedState } from "./state.ts";

/** What tools have of main. */
type AskedServices = Pick<
  ToolContext,
  | "artifacts"
  | "ask"
  | "askModel"
  | "browser"
  | "desktop"
  | "documents"
  | "ignoreLists"
  | "programs"
  | "session"
>;

/** Returns all that main does for the tools of this room. */
export function askedServices(ask: Asker<Ask>): AskedServices {
  return {
    artifacts: askedArtifacts(ask),
    ask: askedPerson(ask),
    askModel: askedModel(ask),
    browser: askedBrowser(ask),
    desktop: askedDesktop(ask),
    documents: askedDocuments(ask),
    ignoreLists: askedIgnores(ask),
    programs: askedPrograms(ask),
    session: askedState(ask),
  };
}
