import type { Info, NewRun, RunNow, RunRow } from "../net/shapes.ts";
import { type PageRoute } from "../state/route.ts";
import { NO_EVENTS, type Transcript } from "../state/transcript.ts";

/** The run that the page shows. */
export interface OpenRun {
  id: string;
  /** `null` until the server has told it. */
  now: RunNow | null;
  transcript: Transcript;
  /** `away` while the server is not reached; `closed` when no more events will come; `missing` if there is no such run. */
  link: "live" | "away" | "closed" | "missing";
  /** The person has just started it on this page. */
  isNew: boolean;
}

/** The list of runs. */
export interface RunRowsState {
  search: string;
  rows: readonly RunRow[];
  /** Where the next page begins; `null` if there is none. */
  next: string | null;
  isLoaded: boolean;
}

/** What a new run begins with in the form. */
export interface RunDraft {
  /** Another one is shown anew. */
  key: number;
  run: NewRun;
}

/** Something that did not work, for the person. */
export interface Problem {
  code: string;
  message: string;
}

/** All that the page shows. */
export interface PageState {
  route: PageRoute;
  /** `null` until the server has told it. */
  info: Info | null;
  list: RunRowsState;
  run: OpenRun | null;
  problem: Problem | null;
  /** The server was not reached by the last request. */
  isAway: boolean;
  draft: RunDraft | null;
  /** The server wants the token again. */
  isLocked: boolean;
  /** What a screen reader says; only what a person waits for. */
  spoken: string;
}

/** What the page shows first. */
export function firstState(route: PageRoute): PageState {
  return {
    route,
    info: null,
    list: { search: "", rows: [], next: null, isLoaded: false },
    run: null,
    problem: null,
    isAway: false,
    draft: null,
    isLocked: false,
    spoken: "",
  };
}

/** A run of which no event is known yet; `started` is how it stood when it was started on this page. */
export function openedRun(id: string, started: RunNow | null): OpenRun {
  const isNew = started?.id === id;
  return { id, now: isNew ? started : null, transcript: NO_EVENTS, link: "live", isNew };
}
