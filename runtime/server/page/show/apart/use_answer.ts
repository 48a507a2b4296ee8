import { useEffect, useState } from "preact/hooks";

import { askReader } from "./ask_reader.ts";
import type { Kind, ReaderJobs } from "./jobs.ts";

/**
 * What the reader makes of a text.
 *
 * @param asked `null` as long as nothing is to be asked
 * @returns `null` until the answer is there, and if there is none
 */
export function useAnswer<K extends Kind>(
  kind: K,
  asked: ReaderJobs[K]["asked"] | null,
): ReaderJobs[K]["answer"] | null {
  const key = asked && JSON.stringify(asked);
  const [known, setKnown] = useState<{ key: string; answer: ReaderJobs[K]["answer"] | null } | null>(null);
  useEffect(() => {
    if (asked === null || key === null) return;
    const gone = new AbortController();
    void askReader(kind, asked, gone.signal).then((answer) => {
      if (!gone.signal.aborted) setKnown({ key, answer });
    });
    return () => gone.abort();
  }, [key]);
  return known !== null && known.key === key ? known.answer : null;
}
