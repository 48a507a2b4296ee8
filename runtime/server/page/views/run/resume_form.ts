import { useState } from "preact/hooks";

import { html } from "../../base/html.ts";
import type { PageControl } from "../../control/page_control.ts";
import { PictureButton, PictureStrip, pictureTarget, usePictures } from "../../parts/pictures.ts";
import { sends } from "../../parts/use_store.ts";

/** Goes on with a run, with or without a further prompt. */
export function ResumeForm({ id, control }: { id: string; control: PageControl }) {
  const [prompt, setPrompt] = useState("");
  const [isSending, setSending] = useState(false);
  const chosen = usePictures();
  const resume = async (event: Event) => {
    event.preventDefault();
    if (isSending) return;
    setSending(true);
    const done = await control.resume(id, {
      ...prompt.trim() !== "" && { prompt },
      ...chosen.pictures.length > 0 && { images: [...chosen.pictures] },
    });
    setSending(false);
    if (!done) return;
    setPrompt("");
    chosen.clear();
  };
  return html`
    <form class="resume prompt-box" onSubmit=${resume} ...${pictureTarget(chosen)}>
      <label class="unseen" for="more">What to do next</label>
      <textarea id="more" rows="2" placeholder="Ask for more, or go on where it stopped." value=${prompt}
        onInput=${({ currentTarget }: { currentTarget: HTMLTextAreaElement }) =>
          setPrompt(currentTarget.value)}
        onKeyDown=${(event: KeyboardEvent) => sends(event) && void resume(event)}></textarea>
      <${PictureStrip} ...${chosen} />
      <div class="actions"><${PictureButton} ...${chosen} />
          <button type="submit" class="primary" disabled=${isSending}>${prompt.trim() === ""
            ? "Continue"
            : "Send"}</button></div>
    </form>
  `;
}
