import type { z } from "zod";

import { ToolError } from "../../../schemas/error.ts";
import type { HandlerAnswer, Handlers, Request } from "../contract/answer.ts";
import type { AnswerRun, ResumeRun, RunQuery, StartRun } from "../api/run_schemas.ts";
import type { NumberedEvent, Runs } from "./runs.ts";

/** How long a client waits before it connects again, in milliseconds. */
const RETRY_MS = 1_000;

type Bodied<Body extends z.ZodType> = Request<unknown, z.infer<Body>>;

/** Makes what answers requests about runs. */
export function runHandlers(runs: Runs): Handlers {
  return {
    startRun: async (request: Bodied<typeof StartRun>) => ({
      status: 201,
      json: await runs.start({ ...request.body, ...askerOf(request) }),
    }),
    listRuns: async ({ query }: Request<z.infer<typeof RunQuery>>) => ({ json: await runs.list(query) }),
    getRun: async (request) => ({ json: await runs.get(idOf(request)) }),
    removeRun: async (request) => ({ json: await runs.remove(idOf(request)) }),
    followRun: (request) => followRun(runs, request),
    answerRun: async (request: Bodied<typeof AnswerRun>) => ({
      json: await runs.answer(idOf(request), request.body),
    }),
    cancelRun: async (request) => ({ json: await runs.cancel(idOf(request)) }),
    resumeRun: async (request: Bodied<typeof ResumeRun>) => ({
      json: await runs.resume(idOf(request), { ...request.body, ...askerOf(request) }),
    }),
  };
}

function idOf({ params }: Pick<Request, "params">): string {
  return params.id ?? "";
}

function askerOf({ headers, client }: Pick<Request, "headers" | "client">) {
  return { client: headers["x-client-id"] ?? client, traceparent: headers.traceparent };
}

async function followRun(runs: Runs, request: Request<{ after?: number }>): Promise<HandlerAnswer> {
  const events = await runs.follow(idOf(request), afterOf(request));
  if (events === null) return { status: 204 };
  return {
    headers: { "cache-control": "no-store", "x-accel-buffering": "no" },
    stream: { pieces: toSse(events), type: "text/event-stream" },
  };
}

/** A client that connects again says what it had last. */
function afterOf({ headers, query }: Request<{ after?: number }>): number {
  const last = headers["last-event-id"];
  if (last === undefined || last === "") return query.after ?? 0;
  if (/^\d{1,15}$/.test(last)) return Number(last);
  throw new ToolError(
    "invalid_input",
    `Cannot read Last-Event-ID ${JSON.stringify(last.slice(0, 40))}: it is the number of an event`,
  );
}

async function* toSse(events: AsyncIterable<readonly NumberedEvent[]>): AsyncGenerator<string> {
  yield `retry: ${RETRY_MS}\n\n`;
  for await (const some of events) {
    yield some.map(({ n, time, event }) =>
      `id: ${n}\nevent: ${event.type}\ndata: ${JSON.stringify({ v: 1, time, ...event })}\n\n`
    ).join("");
  }
}
