import { ToolError } from "../../../schemas/error.ts";
import type { FromDisplay, ToDisplay } from "../protocol.ts";
import { DisplayDriver } from "./display_driver.ts";
import { XWire } from "./x_wire.ts";

/** The worker as it is used here. */
export interface DisplayScope {
  onmessage: ((event: MessageEvent<ToDisplay>) => void) | null;
  postMessage(message: FromDisplay, memory?: Transferable[]): void;
}

/** Drives the display whose bytes main passes on. */
export function serveDisplay(scope: DisplayScope): void {
  const post = (message: FromDisplay, memory: Transferable[] = []) => scope.postMessage(message, memory);
  const wire = new XWire(post);
  const opening = Promise.withResolvers<DisplayDriver>();
  opening.promise.then(
    () => post({ t: "opened" }),
    (error) => post({ t: "unopened", error: infoOf(error) }),
  );
  const running = new Map<number, AbortController>();
  const act = async ({ id, work }: Extract<ToDisplay, { t: "act" }>) => {
    const stop = new AbortController();
    running.set(id, stop);
    try {
      const driver = await opening.promise;
      post({ t: "answer", id, answer: await driver.act(work, stop.signal) });
    } catch (error) {
      post({ t: "failed", id, error: infoOf(error) });
    } finally {
      running.delete(id);
    }
  };
  scope.onmessage = ({ data }) => {
    if (data.t === "bytes") wire.take(data.bytes);
    else if (data.t === "begin") DisplayDriver.open(wire, data.begin).then(opening.resolve, opening.reject);
    else if (data.t === "stop") running.get(data.id)?.abort(new ToolError("cancelled", "The call has ended"));
    else void act(data);
  };
}

function infoOf(error: unknown): ReturnType<ToolError["toInfo"]> {
  if (error instanceof ToolError) return error.toInfo();
  const message = error instanceof Error ? error.message : String(error);
  return new ToolError("external_failure", `The desktop failed: ${message}`).toInfo();
}
