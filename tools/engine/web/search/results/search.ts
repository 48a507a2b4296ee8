import type { WebAnswer } from "../../../../../schemas/context.ts";
import type { ServiceRequest } from "../../service/ask_service.ts";
import type { Service } from "../../service/services.ts";

/** What to search for. */
export interface SearchQuery {
  text: string;
  /** How many results are wanted. */
  count: number;
  /** Results to pass over. @default 0 */
  skip?: number;
  /** Language of the results, such as `en` or `zh-cn`. @default the engine's own choice */
  language?: string;
  /** Where the question comes from, such as `us`. @default the engine's own choice */
  country?: string;
  /** The same place in words. */
  location?: string;
  /** Papers instead of pages. @default "web" */
  kind?: "web" | "scholar";
}

/** One result of a search. Its texts are plain: no markup, no line ends. */
export interface SearchHit {
  /** Empty if the engine gives none. */
  title: string;
  /** Absolute, `http:` or `https:`. */
  url: string;
  /** Empty if the engine gives none. */
  snippet: string;
  /** As the engine says it. */
  date?: string;
  /** Who published it. */
  source?: string;
  /** Facts about a paper. */
  paper?: { pdfUrl?: string; publicationInfo?: string; year?: string; citedBy?: number };
  /** The text of the page, if the engine gives it. */
  content?: string;
}

/** A search engine: how it is asked, and how its answer is read. */
export interface SearchEngine {
  service: Service;
  /** What it finds. */
  kinds: readonly NonNullable<SearchQuery["kind"]>[];
  ask(query: SearchQuery): ServiceRequest;
  /** Errors of the engine are in the page, and `read` looks for them also where the status is an error. @default false */
  readsErrors?: boolean;
  /**
   * Returns what was found; an empty list means that nothing was.
   *
   * @throws {ToolError} `external_failure` for an answer that is not one, or that says that the engine takes us for a robot
   */
  read(answer: WebAnswer, query: SearchQuery): SearchHit[] | Promise<SearchHit[]>;
}
