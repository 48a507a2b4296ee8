import { isUnended, type Overlay } from "../../state/overlay/overlay_store.ts";
import { type Io, printError } from "../io/io.ts";

/** Says so where the run in an overlay has not come to its end: it is at work, or it was killed. */
export async function tellUnended(overlay: Overlay, io: Io): Promise<void> {
  if (!isUnended(overlay)) return;
  await printError(
    io,
    `bulkhead: the run in overlay ${overlay.id} has not come to its end, so its changes may not be whole\n`,
  );
}
