import { useEffect, useState } from "preact/hooks";

import type { PageControl } from "../../control/page_control.ts";
import type { LeftFiles, NumberedSource, RunNow } from "../../net/shapes.ts";

type Asked = Pick<RunNow, "id" | "updated"> | null;

/** The sources of a run, asked for when it has changed and they are wanted; `null` until they are there. */
export function useSources(
  control: PageControl,
  now: Asked,
  isWanted: boolean,
): readonly NumberedSource[] | null {
  return useLeft(control, now, isWanted, (id) => control.api.sources(id));
}

/** The files that a run changed and left; as {@linkcode useSources}. */
export function useFiles(control: PageControl, now: Asked, isWanted: boolean): LeftFiles | null {
  return useLeft(control, now, isWanted, (id) => control.api.files(id));
}

function useLeft<Left>(
  control: PageControl,
  now: Asked,
  isWanted: boolean,
  ask: (id: string) => Promise<Left>,
): Left | null {
  const [found, setFound] = useState<{ id: string; left: Left } | null>(null);
  const { id = null, updated = null } = now ?? {};
  useEffect(() => {
    if (id === null || !isWanted) return;
    let isGone = false;
    void control.attempt(ask(id)).then((left) => {
      if (left && !isGone) setFound({ id, left });
    });
    return () => void (isGone = true);
  }, [id, updated, isWanted]);
  return found?.id === id ? found.left : null;
}
