import { html } from "../../base/html.ts";
import { runPath } from "../../net/server_api.ts";
import type { LeftFiles } from "../../net/shapes.ts";

type Changed = LeftFiles["changed"][number];

const PICTURE = /\.(?:png|jpe?g|gif|webp|avif|bmp|ico|svg)$/i;
const SIDES: Readonly<Record<Changed["status"], readonly ("before" | "after")[]>> = {
  added: ["after"],
  modified: ["before", "after"],
  deleted: ["before"],
};

/** The pictures among changed files, as they were and as they are; a picture neither runs nor loads anything. */
export function ChangedPictures({ id, changed, version }: {
  id: string;
  changed: LeftFiles["changed"];
  /** Differs whenever the files may have changed. */
  version: string;
}) {
  const pictures = changed.filter(({ path }) => PICTURE.test(path));
  if (pictures.length === 0) return null;
  return html`<section class="changed-pictures" aria-label="Changed pictures">${
    pictures.map(({ path, status }) =>
      html`
        <div key=${path} class="picture-pair">
          <h2 class="small-head path">${path}</h2>
          <div class="sides">${SIDES[status].map((side) =>
            html`
              <figure key=${side}>
                <img src=${addressOf(id, path, { side, version })} alt=${`${path}, ${side}`} loading="lazy" />
                <figcaption class="hint">${side === "before" ? "Before" : "Now"}</figcaption>
              </figure>
            `
          )}</div>
        </div>
      `
    )
  }</section>`;
}

function addressOf(id: string, path: string, { side, version }: { side: string; version: string }): string {
  const at = path.split("/").map(encodeURIComponent).join("/");
  // What stands behind `#` is not sent: it makes the browser ask again for a file that has changed.
  return `${runPath(id)}/changed/${at}?side=${side}#${encodeURIComponent(version)}`;
}
