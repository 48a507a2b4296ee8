import { useState } from "preact/hooks";

import { html } from "../../base/html.ts";
import type { PageControl } from "../../control/page_control.ts";
import type { Info } from "../../net/shapes.ts";
import { CopyButton } from "../../parts/copy_button.ts";

/** What a person does who has no model yet: names one, sets one for the next start, or looks at a recorded run. */
export function ModelCard({ info, control }: { info: Info; control: PageControl }) {
  const { keys, model, model_problem: problem } = info;
  const [name, setName] = useState("");
  const [isTrying, setTrying] = useState(false);
  const [why, setWhy] = useState("");
  const attempt = async (event: Event) => {
    event.preventDefault();
    setTrying(true);
    setWhy("");
    setWhy(await control.takeModel(name.trim()) ?? "");
    setTrying(false);
  };
  const lines = shellLines(keys);
  return html`<section class="model-card" aria-labelledby="model-title">
    <h2 id="model-title">${model === null ? "No model yet" : `The model ${model} cannot be asked`}</h2>
    ${
    model === null
      ? html`
        <p>${keys.length === 0 ? "No key of a provider was found in the environment of the server." : [
          "Found: ",
          ...keys.map(({ provider, variable }, at) =>
            html`${at > 0 && ", "}<code>${variable}</code> for <code>${provider}/…</code>`
          ),
        ]}</p>
        <form class="actions try" onSubmit=${attempt}>
          <label class="unseen" for="model-name">Provider and model</label>
          <input id="model-name" type="text" required spellcheck="false" autocapitalize="off" value=${name}
            placeholder=${`${keys[0]?.provider ?? "ollama"}/model`}
            onInput=${({ currentTarget }: { currentTarget: HTMLInputElement }) =>
              setName(currentTarget.value)} />
          <button type="submit" disabled=${isTrying || name.trim() === ""}>${isTrying
            ? "Trying…"
            : "Try and use it"}</button>
        </form>
      `
      : html`<p>${problem}</p>`
  }
    ${why && html`<p class="warning" role="alert">${why}</p>`}
    <p>Or set it in the shell, and start the server again:</p>
    <div class="lines"><pre tabindex="0">${lines}</pre><${CopyButton} text=${lines} /></div>
    <div class="actions"><a class="button" href="#/demo">Watch the demo</a><span class="hint">a recorded run; it needs no key</span></div>
  </section>`;
}

/** For the first provider whose key is there; else for OpenAI. */
function shellLines([found]: Info["keys"]): string {
  const { provider, variable } = found ?? { provider: "openai", variable: "OPENAI_API_KEY" };
  return [
    found ? `# ${variable} is set` : `export ${variable}=YOUR_KEY`,
    `export OPENAI_MODEL=${provider}/NAME`,
    "bulkhead ui",
  ].join("\n");
}
