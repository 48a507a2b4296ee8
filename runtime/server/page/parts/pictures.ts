import { useState } from "preact/hooks";

import { html } from "../base/html.ts";
import type { NewRun } from "../net/shapes.ts";

type Picture = NonNullable<NewRun["images"]>[number];

const TYPES = ["image/png", "image/jpeg", "image/webp", "image/gif"];
const MAX_BYTES = 20 * 1024 * 1024;
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

/** Keeps the pictures that a person chose, pasted or dropped. */
export function usePictures(): ChosenPictures {
  const [pictures, setPictures] = useState<readonly Picture[]>([]);
  const [problem, setProblem] = useState("");
  return {
    pictures,
    problem,
    async add(files) {
      const all = [...files];
      const good = all.filter(({ type, size }) => TYPES.includes(type) && size <= MAX_BYTES);
      const read = await Promise.all(good.map(readPicture));
      setPictures((before) => [...before, ...read].slice(0, MAX_PICTURES));
      const refused = all.find((file) => !good.includes(file));
      const tooMany = pictures.length + good.length > MAX_PICTURES;
      setProblem(
        refused
          ? `${refused.name} is left out: take PNG, JPEG, WebP or GIF with at most 20 MiB.`
          : tooMany
          ? `At most ${MAX_PICTURES} pictures go with a prompt.`
          : "",
      );
    },
    remove: (index) => setPictures((before) => before.filter((_, at) => at !== index)),
    clear: () => setPictures([]),
  };
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
        <figure key=${data_url.slice(-64)}>
          <img src=${data_url} alt=${name} />
          <button type="button" aria-label=${`Remove ${name}`} onClick=${() => remove(index)}>×</button>
        </figure>
      `
    )
  }
    ${problem && html`<p class="hint warning" role="alert">${problem}</p>`}
  </div>`;
}
