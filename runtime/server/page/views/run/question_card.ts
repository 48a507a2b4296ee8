import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";

import { html } from "../../base/html.ts";
import type { Answering, Asking } from "../../net/shapes.ts";
import { Diff } from "../../show/diff/diff.ts";
import { Markdown } from "../../show/markdown/markdown.ts";
import { sends } from "../../parts/use_store.ts";
import { durationWords } from "../../state/words.ts";

interface QuestionProps {
  question: Asking;
  onAnswer(answer: Answering): Promise<boolean>;
}

/** A question of a run, or a call that needs consent. */
export function QuestionCard(props: QuestionProps) {
  const { question: { kind, text } } = props;
  return html`<section class="question" aria-label=${kind === "consent" ? "Consent is needed" : "A question"}>
    <h2>${kind === "consent" ? "Allow this call?" : "The run asks"}</h2>
    <${Markdown} text=${text} />
    ${kind === "consent" ? html`<${Consent} ...${props} />` : html`<${OpenQuestion} ...${props} />`}
  </section>`;
}

/** Takes the focus at once, unless the person is busy elsewhere. */
function useFocusOfIdle<Shown extends HTMLElement>() {
  const shown = useRef<Shown>(null);
  useLayoutEffect(() => {
    if (document.activeElement?.matches("body, #panel")) shown.current?.focus();
  }, []);
  return shown;
}

function OpenQuestion({ question: { id }, onAnswer }: QuestionProps) {
  const [answer, setAnswer] = useState("");
  const field = useFocusOfIdle<HTMLTextAreaElement>();
  const [isSending, setSending] = useState(false);
  const send = async (event: Event) => {
    event.preventDefault();
    if (answer.trim() === "" || isSending) return;
    setSending(true);
    await onAnswer({ question: id, answer });
    setSending(false);
  };
  return html`
    <form onSubmit=${send}>
      <label class="field"><span class="field-name">Your answer</span>
          <textarea rows="3" value=${answer} ref=${field}
            onInput=${({ currentTarget }: { currentTarget: HTMLTextAreaElement }) =>
              setAnswer(currentTarget.value)}
            onKeyDown=${(event: KeyboardEvent) => sends(event) && void send(event)}></textarea></label>
      <div class="actions"><button type="submit" class="primary" disabled=${answer.trim() === "" ||
        isSending}>
          Answer</button></div>
    </form>
  `;
}

function Consent({ question, onAnswer }: QuestionProps) {
  const { id, text, tool, input, change, targets = [], always, until } = question;
  const [reason, setReason] = useState("");
  const [isSending, setSending] = useState(false);
  const decide = async (consent: "once" | "run" | "no") => {
    if (isSending) return;
    setSending(true);
    const why = reason.trim();
    await onAnswer({ question: id, consent, ...consent === "no" && why !== "" && { reason: why } });
    setSending(false);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const isField = event.target instanceof HTMLInputElement;
    if (isField || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "y") void decide("once");
    if (event.key === "a" && always) void decide("run");
    if (event.key === "n") void decide("no");
  };
  const card = useFocusOfIdle<HTMLDivElement>();
  return html`<div class="consent" ref=${card} tabindex="-1" onKeyDown=${onKeyDown}>
    ${tool && !text.includes(tool) && html`<p><code>${tool}</code></p>`}
    ${
    targets.length > 0 && html`<ul class="targets">${
      targets.map((target, at) => html`<li key=${at}>${targetWords(target)}</li>`)
    }</ul>`
  }
    ${
    change ? html`<${Diff} text=${change} />` : input !== undefined &&
      html`<pre tabindex="0" role="group" aria-label="Arguments">${JSON.stringify(input, null, 2)}</pre>`
  }
    <label class="field"><span class="field-name">Reason, if you refuse</span>
      <input type="text" value=${reason} placeholder="The model reads it"
        onInput=${({ currentTarget }: { currentTarget: HTMLInputElement }) =>
    setReason(currentTarget.value)} /></label>
    <div class="actions">
      <button type="button" class="primary" disabled=${isSending} onClick=${() => void decide("once")}>
        Allow once <kbd>y</kbd></button>
      ${
    always && html`<button type="button" disabled=${isSending} title=${always} onClick=${() =>
      void decide("run")}>
        Allow in this run <kbd>a</kbd></button>`
  }
      <button type="button" class="danger" disabled=${isSending} onClick=${() => void decide("no")}>
        Refuse <kbd>n</kbd></button>
    </div>
    ${always && html`<p class="hint">“Allow in this run” covers: ${always}</p>`}
    ${until && html`<${TimeLeft} until=${until} />`}
  </div>`;
}

/** How long the call waits for a decision; a screen reader is told once, not each second. */
function TimeLeft({ until }: { until: string }) {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  const left = Math.max(0, Math.ceil((Date.parse(until) - now) / 1_000)) * 1_000;
  return html`<p class="hint">Without an answer it counts as refused in ${durationWords(left)}.</p>`;
}

function targetWords(target: unknown): string {
  if (typeof target !== "object" || target === null) return String(target);
  return Object.values(target).filter((value) => typeof value !== "object").map(String).join(" ");
}
