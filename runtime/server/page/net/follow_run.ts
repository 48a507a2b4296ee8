import type { NumberedEvent, ServedEvent } from "../../runs/runs.ts";
import { runPath } from "./server_api.ts";

/** All kinds of events; the server names each. */
const KINDS: Readonly<Record<ServedEvent["type"], true>> = {
  "prompt": true,
  "run.start": true,
  "run.end": true,
  "run.queued": true,
  "turn.start": true,
  "text.delta": true,
  "tool.start": true,
  "tool.progress": true,
  "tool.end": true,
  "tools.added": true,
  "program.start": true,
  "program.input": true,
  "program.end": true,
  "question": true,
  "question.end": true,
  attached: true,
  compact: true,
  permission: true,
  plan: true,
  retry: true,
  state: true,
  warning: true,
};

/** What is told to who follows a run. */
export interface Follower {
  /** All that came since the last frame. */
  onEvents(events: readonly NumberedEvent[]): void;
  /** The connection is there, or is tried again. */
  onLink(link: "live" | "away"): void;
  /** There is no connection any more: the run has ended, or the server refuses. */
  onClose(): void;
}

/**
 * Follows a run from behind an event. A lost connection is made again by the browser, behind the last event that came.
 * What comes within a frame is told at once: a screen shows no more.
 *
 * @returns What ends it
 */
export function followRun(id: string, after: number, follower: Follower): () => void {
  const source = new EventSource(`${runPath(id)}/events?after=${after}`);
  let waiting: NumberedEvent[] = [];
  let frame = 0;
  const flush = () => {
    // A frame that comes later finds nothing.
    frame = 0;
    const events = waiting;
    waiting = [];
    if (events.length > 0) follower.onEvents(events);
  };
  const onMessage = ({ data, lastEventId }: MessageEvent<string>) => {
    const { v: _, time, ...event } = JSON.parse(data);
    waiting.push({ n: Number(lastEventId), time, event });
    // A page that is not shown gets no frames.
    frame ||= document.hidden ? setTimeout(flush, 200) : requestAnimationFrame(flush);
  };
  for (const kind of Object.keys(KINDS)) source.addEventListener(kind, onMessage);
  source.addEventListener("open", () => follower.onLink("live"));
  source.addEventListener("error", () => {
    flush();
    if (source.readyState === EventSource.CLOSED) follower.onClose();
    else follower.onLink("away");
  });
  return () => {
    source.close();
    waiting = [];
  };
}
