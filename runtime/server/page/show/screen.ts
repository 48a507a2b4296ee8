import Anser from "anser";

import { html } from "../base/html.ts";
import { visible } from "./text/visible.ts";

/** Commands for a terminal that are no colours: titles, links, moves of the cursor. */
const ESC = String.fromCharCode(27);
const BELL = String.fromCharCode(7);
const COMMANDS = new RegExp(
  `${ESC}[\\]PX^_][^${BELL}${ESC}]*(?:${BELL}|${ESC}\\\\)?|${ESC}\\[[0-9;?<=>!]*[@-ln-~]|${ESC}[()][A-Z0-9]|${ESC}[=>78cDEHMNOZ]`,
  "g",
);
const COLOUR = /^\d{1,3}, ?\d{1,3}, ?\d{1,3}$/;
/** What makes a contrast of about 4.5 to the screen's ground. */
const LEAST_BRIGHTNESS = 0.24;
/** More is not shown: each change of colour is an element. */
const MOST_CHARACTERS = 200_000;

/** A text of a terminal, with its colours and nothing else of its commands. */
export function Screen({ text }: { text: string }) {
  const shown = text.slice(0, MOST_CHARACTERS);
  const parts = Anser.ansiToJson(lastWritten(shown.replace(COMMANDS, "")), {
    json: true,
    remove_empty: true,
  });
  return html`<pre class="screen" tabindex="0" role="group" aria-label="Terminal">${
    parts.map(({ content, fg, bg, decorations }, at) =>
      html`
        <span key=${at} class=${decorations.map((name) => `screen-${name}`).join(" ")}
          style=${{ color: bg ? colour(fg) : letterColour(fg), backgroundColor: colour(bg) }}>${visible(
            content,
          )}</span>
      `
    )
  }${shown.length < text.length && "\n…"}</pre>`;
}

/** What stands in each line after it was written over, as bars of progress are. */
function lastWritten(text: string): string {
  return text.split("\n").map((line) => {
    const end = line.replace(/\r+$/, "");
    return end.slice(end.lastIndexOf("\r") + 1);
  }).join("\n");
}

function colour(numbers: string | null): string | undefined {
  return numbers && COLOUR.test(numbers) ? `rgb(${numbers})` : undefined;
}

/** A colour of letters, made brighter as far as it must be to be read on the dark screen. */
function letterColour(numbers: string | null): string | undefined {
  if (!numbers || !COLOUR.test(numbers)) return undefined;
  let parts = numbers.split(",").map(Number);
  while (brightness(parts) < LEAST_BRIGHTNESS) parts = parts.map((part) => part + (255 - part) / 4);
  return `rgb(${parts.map(Math.round).join(", ")})`;
}

/** Relative luminance, from 0 for black to 1 for white. */
function brightness(parts: readonly number[]): number {
  const [red = 0, green = 0, blue = 0] = parts.map((part) => (part / 255) ** 2.2);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
