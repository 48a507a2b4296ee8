import type { JSONRPCMessage } from "@modelcontextprotocol/client";

import { isObject } from "../../../../../schemas/json/shape.ts";
import type { GateFetch } from "../../../../net/port/fetch_over_port.ts";
import type { WaitingAnswers } from "./answers.ts";

const EVENT_END = /\r?\n\r?\n|\r\r/;

/** Gives on what a server answers in messages that can be read: those that cannot are errors in their places. */
export function readableFetch(fetch: GateFetch, answers: WaitingAnswers): GateFetch {
  return async (target, init = {}) => {
    const response = await fetch(target, init);
    const type = response.headers.get("content-type") ?? "";
    if (!response.ok || response.body === null) return response;
    if (/^\s*text\/event-stream\b/i.test(type)) {
      return withBody(response, readableEvents(response.body, answers));
    }
    if (!/^\s*application\/json\b/i.test(type)) return response;
    // Other requests than those of the protocol, such as those of a login, have no ids.
    const ids = idsOf(init.body);
    if (ids.length === 0) return response;
    const read = answers.read(await response.text());
    const late = answers.failed(ids, "it is no answer to the request");
    const messages = [...read, ...late];
    return withBody(response, JSON.stringify(messages.length === 1 ? messages[0] : messages));
  };
}

function withBody({ status, headers }: Response, body: BodyInit): Response {
  const kept = new Headers(headers);
  kept.delete("content-length");
  return new Response(body, { status, headers: kept });
}

/** The ids of the requests in a body. */
function idsOf(body: unknown): (string | number)[] {
  if (typeof body !== "string") return [];
  try {
    const sent: unknown = JSON.parse(body);
    return (Array.isArray(sent) ? sent : [sent]).flatMap((message) =>
      isObject(message) && "method" in message && "id" in message ? [message.id as string | number] : []
    );
  } catch {
    return [];
  }
}

/** Events go on as they are, unless their data cannot be read as it is. */
function readableEvents(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  answers: WaitingAnswers,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  let held = "";
  const read = new TransformStream<string, string>({
    transform(piece, controller) {
      held += piece;
      // A line end may be cut in two.
      for (let end = EVENT_END.exec(held); end !== null; end = EVENT_END.exec(held)) {
        const event = held.slice(0, end.index);
        held = held.slice(end.index + end[0].length);
        controller.enqueue(readableEvent(event, answers));
      }
    },
    flush(controller) {
      if (held !== "") controller.enqueue(held);
    },
  });
  return body.pipeThrough(new TextDecoderStream()).pipeThrough(read).pipeThrough(new TextEncoderStream());
}

function readableEvent(event: string, answers: WaitingAnswers): string {
  const lines = event.split(/\r\n|\r|\n/);
  const isData = (line: string) => /^data(?::|$)/.test(line);
  const kind = lines.find((line) => line.startsWith("event:"))?.slice("event:".length).trim() ?? "message";
  if (kind !== "message" || !lines.some(isData)) return `${event}\n\n`;
  const data = lines.filter(isData).map((line) => line.replace(/^data:? ?/, "")).join("\n");
  const others = lines.filter((line) => !isData(line));
  const messages: JSONRPCMessage[] = answers.read(data);
  if (messages.length === 0) return `${event}\n\n`;
  return messages.map((message) => [...others, `data: ${JSON.stringify(message)}`].join("\n") + "\n\n").join(
    "",
  );
}
