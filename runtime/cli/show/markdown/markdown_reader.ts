import type { Token } from "marked";

import { entryUrl } from "../../../self/entry_urls.ts";
import { startWorker } from "../../../self/start_worker.ts";
import type { BlocksAnswer, BlocksQuestion } from "../../../text/markdown/protocol.ts";

/** How long one text may take, the start of the reader included, in milliseconds. */
const READ_MS = 5_000;
/** Longer texts are shown as they are. */
const MOST_CHARACTERS = 300_000;

/** Cuts Markdown into blocks; `null` for a text that is shown as it is. One text is read after the other. */
export interface MarkdownReader extends Disposable {
  read(text: string, options?: { isOpen?: boolean }): Promise<readonly Token[] | null>;
}

/** Makes a reader; its worker starts with the first text. Needs `read` of the program's own files. */
export function makeMarkdownReader(): MarkdownReader {
  let worker: Worker | null = null;
  let isEnded = false;
  let count = 0;
  let answer = Promise.withResolvers<BlocksAnswer | null>();
  let last: Promise<unknown> = Promise.resolve();
  const end = () => {
    isEnded = true;
    worker?.terminate();
    answer.resolve(null);
  };
  const start = (): Worker => {
    const made = startWorker(entryUrl("foreign_text"), "none");
    made.onmessage = ({ data }: MessageEvent<BlocksAnswer>) => {
      if (data.n === count) answer.resolve(data);
    };
    made.onerror = (event) => {
      event.preventDefault();
      end();
    };
    return made;
  };
  const read = async (text: string, isOpen: boolean): Promise<readonly Token[] | null> => {
    if (isEnded) return null;
    try {
      worker ??= start();
    } catch {
      // From source without the flag for it: texts are shown as they are.
      isEnded = true;
      return null;
    }
    answer = Promise.withResolvers();
    worker.postMessage({ n: ++count, text, isOpen } satisfies BlocksQuestion);
    const told = await within(answer.promise, READ_MS);
    if (told === null) end();
    return told && "blocks" in told ? told.blocks : null;
  };
  return {
    read(text, { isOpen = false } = {}) {
      if (text.length > MOST_CHARACTERS) return Promise.resolve(null);
      const blocks = last.then(() => read(text, isOpen));
      last = blocks;
      return blocks;
    },
    [Symbol.dispose]: end,
  };
}

async function within<T>(answer: Promise<T>, ms: number): Promise<T | null> {
  const late = Promise.withResolvers<null>();
  const timer = setTimeout(() => late.resolve(null), ms);
  try {
    return await Promise.race([answer, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
