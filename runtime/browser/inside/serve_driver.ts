import { ToolError } from "../../../schemas/error.ts";
import type { FromDriver, ToDriver } from "../protocol.ts";
import { Driver } from "./driver.ts";
import { DriverWire } from "./wire.ts";

/** The worker as it is used here. */
export interface DriverScope {
  onmessage: ((event: MessageEvent<ToDriver>) => void) | null;
  postMessage(message: FromDriver, memory?: Transferable[]): void;
}

/** Drives the browser whose messages main passes on. */
export function serveDriver(scope: DriverScope): void {
  const post = (message: FromDriver, memory: Transferable[] = []) => scope.postMessage(message, memory);
  const wire = new DriverWire(post);
  let opening: Promise<Driver>;
  const open = (downloads: string | null) => {
    opening = Driver.open(wire, downloads);
    opening.then(
      () => post({ t: "opened" }),
      (error) => post({ t: "unopened", error: infoOf(error) }),
    );
  };
  scope.onmessage = ({ data }) => {
    if (data.t === "begin") return open(data.begin.downloads);
    if (data.t === "bytes") return wire.take(data.bytes);
    // What goes on in a page ends by itself, or with the browser.
    if (data.t === "stop") return;
    const { id, work: { action, picture } } = data;
    opening.then((driver) => driver.act(action, { picture })).then(
      (answer) => post({ t: "answer", id, answer }),
      (error) => post({ t: "failed", id, error: infoOf(error) }),
    );
  };
}

function infoOf(error: unknown): ReturnType<ToolError["toInfo"]> {
  if (error instanceof ToolError) return error.toInfo();
  const message = error instanceof Error ? error.message : String(error);
  return new ToolError("external_failure", `The browser failed: ${message}`).toInfo();
}
