import type { z } from "zod";

import type { RunEvent } from "../../../schemas/agent/events.ts";
import type {
  AnswerRun,
  Question,
  ResumeRun,
  RunDetail,
  RunInfo,
  RunList,
  RunQuery,
  StartRun,
} from "../api/run_schemas.ts";

/** Starts a run: what the API takes, and what other faces add to it. */
export interface RunWish extends z.infer<typeof StartRun> {
  /** Whose turn it is counted for, if runs wait in the queue. @default everybody's */
  client?: string;
  /** Fields of every request to the model besides the usual ones. @default none */
  extraBody?: Readonly<Record<string, unknown>>;
  /** With `ask: false`: how long consents wait nevertheless, in seconds. @default they are refused at once */
  consentSeconds?: number;
  /** What was said before the prompt, as one text for the model. @default nothing */
  before?: string;
  /** Where it stands in the trace of whoever asked, as the header `traceparent`. @default nowhere */
  traceparent?: string | undefined;
  /** Aborts when whoever asked has gone; stops the run only if the server was started so. */
  gone?: AbortSignal;
}

/** What happens in a run that is served: its own events, and those of its place in the server. */
export type ServedEvent =
  | RunEvent
  /** What the person asks for, or answers; a run begins, or goes on. */
  | { type: "prompt"; text: string; images: number }
  /** It waits for its turn behind so many others. */
  | { type: "run.queued"; ahead: number }
  /** A person is asked; the run waits. */
  | { type: "question"; question: z.infer<typeof Question> }
  /** The question has been answered, or nobody waits for the answer any more (`null`). */
  | { type: "question.end"; id: string; answer: string | null };

/** A person may be asked what a tool wants to know, or for consent to a call. */
export type AskKind = z.infer<typeof Question>["kind"];

/** An event with its number in the run, from 1. */
export interface NumberedEvent {
  n: number;
  /** ISO 8601. */
  time: string;
  event: ServedEvent;
}

/**
 * The runs of a server: those at work, those that wait, and all that the store of sessions has of its folders. A session of
 * the command line may have been allowed more than the server is: when it is resumed here, what it was allowed adds nothing,
 * and what it was denied still holds. `narrow.ts` makes the settings of requests.
 */
export interface Runs extends AsyncDisposable {
  /** How many wait for their turn. */
  readonly queued: number;
  /**
   * Starts a run, or puts it into the queue.
   *
   * @throws {ToolError} `invalid_input`, `permission_denied` for a workspace that is not served, `rate_limited` if too many wait
   */
  start(request: RunWish): Promise<z.infer<typeof RunDetail>>;
  list(query: z.infer<typeof RunQuery>): Promise<z.infer<typeof RunList>>;
  /**
   * Throws {@linkcode ToolError} `not_found`, and `permission_denied` for what the server itself may not read or write, as
   * all below do.
   */
  get(id: string): Promise<z.infer<typeof RunDetail>>;
  /**
   * Gives the events behind number `after`, several at a time, until the run has ended; each batch is read only when it is
   * asked for. `null` if there is none and none will come.
   */
  follow(id: string, after: number): Promise<AsyncIterable<readonly NumberedEvent[]> | null>;
  /**
   * Resolves once the run has ended, waits for an answer, or was interrupted.
   *
   * @param kinds Which answers. @default all
   */
  settled(id: string, kinds?: readonly AskKind[]): Promise<z.infer<typeof RunDetail>>;
  answer(id: string, answer: z.infer<typeof AnswerRun>): Promise<z.infer<typeof RunDetail>>;
  cancel(id: string): Promise<z.infer<typeof RunDetail>>;
  resume(
    id: string,
    how: z.infer<typeof ResumeRun> & Pick<RunWish, "client" | "traceparent">,
  ): Promise<z.infer<typeof RunDetail>>;
  /** Ends a run and takes its session away. */
  remove(id: string): Promise<z.infer<typeof RunInfo>>;
}
