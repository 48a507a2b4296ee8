import { assertEquals } from "@std/assert";

const GROUND = new URL("../../../../runtime/self/bare_ground.ts", import.meta.url);

/** What a worker with no permission may do of each row, before or after it stands on bare ground. */
const ROWS = `
const tries = {
  channel: () => new BroadcastChannel("x").close(),
  worker: () => new Worker("data:text/javascript,"),
  kill: () => process.kill(process.pid, 0),
  abort: () => process.abort.name === "abort" ? null : process.abort(),
  listen: () => Deno.addSignalListener("SIGTERM", () => {}),
  patched: () => { process.kill = () => "mine"; process.kill(1); },
};
export const done = () => Object.entries(tries).filter(([, act]) => {
  try { act(); return true; } catch { return false; }
}).map(([name]) => name);
`;

Deno.test("leaveBareGround() takes what permissions leave, and nothing puts it back", async () => {
  const rows = `data:text/javascript,${encodeURIComponent(ROWS)}`;
  const code = `import { done } from ${JSON.stringify(rows)};
    import { leaveBareGround } from ${JSON.stringify(GROUND.href)};
    leaveBareGround();
    self.postMessage(done());`;
  const worker = new Worker(`data:text/javascript,${encodeURIComponent(code)}`, {
    type: "module",
    deno: { permissions: "none" },
  } as WorkerOptions);
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  worker.onmessage = ({ data }) => resolve(data);
  worker.onerror = (event) => {
    event.preventDefault();
    reject(new Error(event.message));
  };
  try {
    assertEquals(await promise, []);
  } finally {
    worker.terminate();
  }
});
