import type { Token } from "marked";

import { entryUrl } from "../../../self/entry_urls.ts";
import { startWorker } from "../../../self/start_worker.ts";
import type { Ranges, TextAnswer, TextAsk } from "../../../text/foreign/protocol.ts";

/** How long one text may take, the start of the reader included, in milliseconds. */
const READ_MS = 5_000;
/** Longer texts are shown as they are. */
const MOST_CHARACTERS = 300_000;

/** Reads texts of others in a worker, one after the other; `null` for those that are shown as they are. */
export interface ForeignReader extends Disposable {
  /** Cuts Markdown into blocks. With `isOpen`, more of the text may come. */
  blocks(text: string, options?: { isOpen?: boolean }): Promise<readonly Token[] | null>;
  /** Finds a pattern of JavaScript in lines. */
  ranges(
    pattern: string,
    lines: readonly string[],
    options: { ignoreCase: boolean },
  ): Promise<readonly Ranges[] | null>;
}

/** Makes a reader; its worker starts with the first text. Needs `read` of the program's own files. */
export function makeForeignReader(): ForeignReader {
  const { ask, end } = openWorker();
  return {
    async blocks(text, { isOpen = false } = {}) {
      if (text.length > MOST_CHARACTERS) return null;
      const answer = await ask({ text, isOpen });
      return answer && "blocks" in answer ? answer.blocks : null;
    },
    async ranges(pattern, lines, { ignoreCase }) {
      const answer = await ask({ pattern, ignoreCase, lines });
      return answer && "ranges" in answer ? answer.ranges : null;
    },
    [Symbol.dispose]: end,
  };
}

/** A worker that is asked one question at a time, and ends for good where it does not answer in time. */
function openWorker(): { ask(question: TextAsk): Promise<TextAnswer | null>; end(): void } {
  let worker: Worker | null = null;
  let isEnded = false;
  let count = 0;
  let answer = Promise.withResolvers<TextAnswer | null>();
  let last: Promise<unknown> = Promise.resolve();
  const end = () => {
    isEnded = true;
    worker?.terminate();
    answer.resolve(null);
  };
  const start = (): Worker => {
    const made = startWorker(entryUrl("foreign_text"), "none");
    made.onmessage = ({ data }: MessageEvent<TextAnswer>) => {
      if (data.n === count) answer.resolve(data);
    };
    made.onerror = (event) => {
      event.preventDefault();
      end();
    };
    return made;
  };
  const askNow = async (question: TextAsk): Promise<TextAnswer | null> => {
    if (isEnded) return null;
    try {
      worker ??= start();
    } catch {
      // From source without the flag for it: texts are shown as they are.
      isEnded = true;
      return null;
    }
    answer = Promise.withResolvers();
    worker.postMessage({ ...question, n: ++count });
    const timer = setTimeout(end, READ_MS);
    const told = await answer.promise;
    clearTimeout(timer);
    return told;
  };
  return { ask: (question) => last = last.then(() => askNow(question)) as Promise<TextAnswer | null>, end };
}
