import { useEffect, useLayoutEffect, useRef } from "preact/hooks";

import { html } from "../base/html.ts";
import type { PageControl } from "../control/page_control.ts";
import type { PageState } from "../control/page_state.ts";
import { DemoView } from "./demo_view.ts";
import { RunNav } from "./run_list.ts";
import { RunView } from "./run/run_view.ts";
import { StartForm } from "./start/start_form.ts";
import { ThemeSwitch } from "./theme_switch.ts";
import { useStore } from "../parts/use_store.ts";

/** The whole page. */
export function PageView({ control }: { control: PageControl }) {
  const state = useStore(control.store);
  const { route, problem, spoken, isLocked } = state;
  useEffect(() => {
    document.title = titleOf(state);
  });
  const skip = (event: Event) => {
    // The address behind # is that of a run.
    event.preventDefault();
    document.querySelector<HTMLElement>("#main")?.focus();
  };
  const isAway = state.isAway || state.run?.link === "away";
  return html`<div class=${`page at-${route.at}${isAway ? " is-away" : ""}`}>
    <a class="skip" href="#main" onClick=${skip}>Skip to the content</a>
    <header class="top">
      <a class="brand" href="#/"><${Mark} />bulkhead</a>
      <a class="runs-link" href="#/runs">Runs</a>
      <span class="grow"></span>
      ${state.info && html`<span class="hint version">${state.info.version}</span>`}
      <${ThemeSwitch} />
      ${isAway && html`<p class="away" role="status">Connection lost, trying again…</p>`}
    </header>
    ${!isLocked && html`<${RunNav} state=${state} control=${control} />`}
    <main id="main" tabindex="-1">
      ${
    problem && html`<div class="error-box" role="alert"><p>${problem.message}</p>
        <button type="button" class="small" onClick=${() => control.closeProblem()}>Close</button></div>`
  }
      ${isLocked ? html`<${TokenForm} />` : html`<${Content} state=${state} control=${control} />`}
    </main>
    <div class="unseen" role="status">${spoken}</div>
  </div>`;
}

function Content(
  { state: { route, info, run, draft }, control }: { state: PageState; control: PageControl },
) {
  if (route.at === "run" && run) return html`<${RunView} key=${run.id} run=${run} control=${control} />`;
  if (route.at === "list") {
    return html`
      <div>
        <h1>Runs</h1>
        <p class="hint">Choose a run, or start a new one.</p>
      </div>
    `;
  }
  if (route.at === "demo") return html`<${DemoView} control=${control} />`;
  if (!info) return html`<p class="hint">Asking the server…</p>`;
  return html`<${StartForm} key=${draft?.key ?? 0} info=${info} control=${control} draft=${draft} />`;
}

/** A wall with a door that is shut. */
function Mark() {
  return html`
    <svg class="mark" viewBox="0 0 16 16" aria-hidden="true">
      <rect width="16" height="16" rx="3.5" />
      <path d="M8 2.5v11M8 8h3.2" />
    </svg>
  `;
}

function TokenForm() {
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => field.current?.focus(), []);
  const open = (event: Event & { currentTarget: HTMLFormElement }) => {
    event.preventDefault();
    const token = new FormData(event.currentTarget).get("token");
    location.assign(`/?token=${encodeURIComponent(String(token))}`);
  };
  return html`
    <form class="token" onSubmit=${open}>
      <h1>The server wants its token</h1>
      <p>Open the address that <code>bulkhead serve</code> printed at its start, or enter its token.</p>
      <label class="field"><span class="field-name">Token</span>
          <input type="password" name="token" ref=${field} autocomplete="off" required /></label>
      <div class="actions"><button type="submit" class="primary">Open</button></div>
    </form>
  `;
}

function titleOf({ run }: PageState): string {
  if (!run?.now) return "bulkhead";
  const sign = { waiting: "? ", running: "… ", queued: "… ", failed: "✕ ", interrupted: "", completed: "✓ " };
  return `${sign[run.now.state]}${run.now.task.slice(0, 60)} - bulkhead`;
}
