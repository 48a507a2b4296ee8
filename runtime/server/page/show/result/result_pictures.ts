import type { ToolResult } from "../../../../../schemas/result.ts";
import { html } from "../../base/html.ts";
import { visible } from "../text/visible.ts";

interface ResultPicturesProps {
  tool: string;
  result: ToolResult;
  run: string | undefined;
}

const PICTURE_TYPE = /^image\/(?:png|jpeg|gif|webp|avif|svg\+xml)$/;
const PICTURE_NAME = /\.(?:png|jpe?g|gif|webp|avif|svg)$/i;

/** The pictures of a result, and those among the files that it left. A picture neither runs nor loads anything. */
export function ResultPictures({ tool, result: { images, artifacts }, run }: ResultPicturesProps) {
  const own = images.filter(({ mime_type }) => PICTURE_TYPE.test(mime_type)).map((
    { mime_type, data },
    at,
  ) => ({
    source: `data:${mime_type};base64,${data}`,
    words: `Picture ${at + 1} of ${tool}`,
  }));
  // Where a result shows its pictures itself, the files beside it are mostly the same ones.
  const left = run === undefined || own.length > 0
    ? []
    : artifacts.filter(({ name }) => PICTURE_NAME.test(name));
  const files = left.map(({ name }) => ({
    source: `/runs/${encodeURIComponent(run!)}/files/${encodeURIComponent(name)}`,
    words: name,
  }));
  const all = [...own, ...files];
  if (all.length === 0) return null;
  return html`<div class="result-pictures">${
    all.map(({ source, words }) =>
      html`<img key=${source} src=${source} alt=${visible(words)} loading="lazy" />`
    )
  }</div>`;
}
