import { useEffect, useState } from "preact/hooks";

import type { PageControl } from "../../control/page_control.ts";
import type { NumberedSource, RunNow } from "../../net/shapes.ts";

/** The sources of a run, asked for when it has changed and they are wanted; `null` until they are there. */
export function useSources(
  control: PageControl,
  now: Pick<RunNow, "id" | "updated"> | null,
  isWanted: boolean,
): readonly NumberedSource[] | null {
  const [found, setFound] = useState<{ id: string; sources: readonly NumberedSource[] } | null>(null);
  const { id = null, updated = null } = now ?? {};
  useEffect(() => {
    if (id === null || !isWanted) return;
    let isGone = false;
    void control.attempt(control.api.sources(id)).then((sources) => {
      if (sources && !isGone) setFound({ id, sources });
    });
    return () => void (isGone = true);
  }, [id, updated, isWanted]);
  return found?.id === id ? found.sources : null;
}
