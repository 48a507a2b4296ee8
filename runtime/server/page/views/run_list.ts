import { html } from "../base/html.ts";
import type { PageControl } from "../control/page_control.ts";
import type { PageState } from "../control/page_state.ts";
import type { RunRow } from "../net/shapes.ts";
import { RunMenu } from "../parts/run_menu.ts";
import { StateMark } from "../parts/state_mark.ts";
import { runAddress } from "../state/route.ts";
import { rowFacts, usageWords } from "../state/words.ts";

/** The runs, with a search. */
export function RunNav({ state, control }: { state: PageState; control: PageControl }) {
  const { list: { search, rows, next, isLoaded }, route } = state;
  const shown = route.at === "run" ? route.id : null;
  const onInput = ({ currentTarget }: { currentTarget: HTMLInputElement }) =>
    void control.searchRuns(currentTarget.value);
  return html`<nav class="runs" aria-label="Runs">
    <a class="button primary new-run" href="#/">New run</a>
    <label class="search"><span class="unseen">Search runs</span>
      <input type="search" placeholder="Search runs" value=${search} onInput=${onInput} /></label>
    <ul>${
    rows.map((row) =>
      html`<${Row} key=${row.id} row=${row} isShown=${row.id === shown} control=${control} />`
    )
  }</ul>
    ${
    isLoaded && rows.length === 0 &&
    html`<p class="hint">${search ? "No run has these words." : "No run yet."}</p>`
  }
    ${
    next !== null && html`<button type="button" class="quiet-button" onClick=${() => void control.moreRuns()}>
      Show older runs</button>`
  }
  </nav>`;
}

function Row({ row, isShown, control }: { row: RunRow; isShown: boolean; control: PageControl }) {
  const facts = rowFacts(row, Date.now());
  return html`<li class="row"><a href=${runAddress(row.id)} aria-current=${isShown ? "page" : undefined}
      title=${[row.model, usageWords(row.usage)].filter((words) => words).join(" · ")}>
    <span class="row-task">${row.task || "(no words)"}</span>
    <span class="row-facts"><${StateMark} state=${row.state} />${
    facts.length > 0 && html`<span>${facts.map((fact) => ` · ${fact}`).join("")}</span>`
  }</span>
  </a><${RunMenu} run=${row} control=${control} /></li>`;
}
