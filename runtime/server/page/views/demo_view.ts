import { useEffect, useState } from "preact/hooks";

import { html } from "../base/html.ts";
import type { PageControl } from "../control/page_control.ts";
import type { NumberedEvent } from "../../runs/runs.ts";
import { addEvents } from "../state/add_events.ts";
import { demoEvents } from "../state/demo_events.ts";
import { NO_EVENTS } from "../state/transcript.ts";
import { TranscriptView } from "./run/transcript_view.ts";

/** Between two events, in milliseconds: slow enough to be read. */
const STEP_MS = 700;

/** Plays a recorded run: no model is asked, and no tool runs. */
export function DemoView({ control }: { control: PageControl }) {
  const [events, setEvents] = useState<readonly NumberedEvent[]>([]);
  const [count, setCount] = useState(1);
  useEffect(() => {
    void control.attempt(control.api.demo()).then((text) => text !== null && setEvents(demoEvents(text)));
  }, []);
  const isOver = events.length > 0 && count >= events.length;
  useEffect(() => {
    if (events.length === 0 || isOver) return;
    const timer = setTimeout(() => setCount(count + 1), STEP_MS);
    return () => clearTimeout(timer);
  }, [events, count]);
  const transcript = addEvents(NO_EVENTS, events.slice(0, count));
  return html`
    <article class="run" aria-labelledby="demo-title">
      <header class="run-head">
        <h1 id="demo-title">A recorded run</h1>
        <div class="actions">${isOver
          ? html`<button type="button" onClick=${() => setCount(1)}>Play again</button>`
          : html`<button type="button" onClick=${() => setCount(events.length)}>Show all</button>`}</div>
        <p
          class="hint run-line">An agent fixes a bug in a small shop. It is played back: no model is asked, and nothing runs.</p>
      </header>
      <${TranscriptView} items=${transcript.items} runId="demo" folder="/home/you/shop" isAtWork=${!isOver} />
    </article>
  `;
}
