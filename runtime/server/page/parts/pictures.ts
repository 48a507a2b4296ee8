import { useState } from "preact/hooks";

import { html } from "../base/html.ts";
import type { NewRun } from "../net/shapes.ts";

type Picture = NonNullable<NewRun["images"]>[number];

const TYPES = ["image/png", "image/jpeg", "image/webp", "image/gif"];
const MAX_BYTES = 25 * 1024 * 1024;
/** Of all pictures as they are sent: a request may have 40 MiB. */
const MAX_SENT = 38 * 1024 * 1024;
const MAX_PICTURES = 12;

/** Pictures that go with a prompt. */
export interface ChosenPictures {
  pictures: readonly Picture[];
  /** Why some were not taken; `""` without a problem. */
  problem: string;
  add(files: Iterable<File>): Promise<void>;
  remove(index: number): void;
  clear(): void;
}

type Chosen = Pick<ChosenPictures, "pictures" | "problem">;

const NONE: Chosen = { pictures: [], problem: "" };

/** Keeps the pictures that a person chose, pasted or dropped. */
export function usePictures(): ChosenPictures {
  const [chosen, setChosen] = useState(NONE);
  return {
    ...chosen,
    async add(files) {
      const all = [...files];
      const good = all.filter(({ type, size }) => TYPES.includes(type) && size <= MAX_BYTES);
      const refused = all.find((file) => !good.includes(file));
      setChosen(({ pictures }) => ({ ...NONE, pictures }));
      const read = await Promise.all(good.map(readPicture));
      // Meanwhile, others may have been added.
      setChosen(({ pictures, problem }) => withMore([...pictures, ...read], { refused, problem }));
    },
    remove: (index) =>
      setChosen(({ pictures }) => ({ ...NONE, pictures: pictures.filter((_, at) => at !== index) })),
    clear: () => setChosen(NONE),
  };
}

/** As many as go into a request; `refused` is a file that is no picture to be sent, `problem` what is told already. */
function withMore(
  all: readonly Picture[],
  { refused, problem }: { refused: File | undefined; problem: string },
): Chosen {
  let sent = 0;
  const pictures = all.slice(0, MAX_PICTURES).filter(({ data_url }) => (sent += data_url.length) <= MAX_SENT);
  if (refused) {
    return {
      pictures,
      problem: `${refused.name} is left out: take PNG, JPEG, WebP or GIF with at most 25 MiB.`,
    };
  }
  if (pictures.length === all.length) return { pictures, problem };
  return { pictures, problem: `At most ${MAX_PICTURES} pictures with 28 MiB together go with a prompt.` };
}

function readPicture(file: File): Promise<Picture> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve({ name: file.name, data_url: String(reader.result) });
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
}

/** Attributes of an element that takes pictures by paste and drop. */
export function pictureTarget({ add }: ChosenPictures) {
  const take = (event: Event, files: readonly File[]) => {
    if (files.length === 0) return;
    event.preventDefault();
    void add(files);
  };
  return {
    // A table comes as a text and as a picture of it: the text is meant.
    onPaste: (event: ClipboardEvent) => {
      const data = event.clipboardData;
      if (data && !data.types.includes("text/plain")) take(event, [...data.files]);
    },
    // The browser would leave the page for the file.
    onDrop: (event: DragEvent) => take(event, [...event.dataTransfer?.files ?? []]),
    onDragOver: (event: DragEvent) => {
      if (event.dataTransfer?.types.includes("Files")) event.preventDefault();
    },
  };
}

/** The button that adds pictures. */
export function PictureButton({ add }: ChosenPictures) {
  const onChange = ({ currentTarget }: Event & { currentTarget: HTMLInputElement }) => {
    void add([...currentTarget.files ?? []]);
    currentTarget.value = "";
  };
  return html`<label class="button quiet-button">
    <input class="unseen" type="file" multiple accept=${TYPES.join(",")} onChange=${onChange} />Add pictures
  </label>`;
}

/** The chosen pictures, each with a button that takes it away. */
export function PictureStrip({ pictures, problem, remove }: ChosenPictures) {
  if (pictures.length === 0 && problem === "") return null;
  return html`<div class="pictures">
    ${
    pictures.map(({ name = "Picture", data_url }, index) =>
      html`
        <figure key=${index}>
          <img src=${data_url} alt=${name} />
          <button type="button" aria-label=${`Remove ${name}`} onClick=${() => remove(index)}>×</button>
        </figure>
      `
    )
  }
    ${problem && html`<p class="hint warning" role="alert">${problem}</p>`}
  </div>`;
}
