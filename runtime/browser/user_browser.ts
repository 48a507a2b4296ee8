import { ToolError } from "../../schemas/error.ts";
import type { Grants } from "../../schemas/grants.ts";
import type { DrivenPipe } from "../programs/narrow/driven_program.ts";
import { decideName } from "../walls/net/decide_net.ts";
import { netRefusal } from "../walls/net/net_refusal.ts";
import { programRules } from "../walls/net/net_rules.ts";

/** Longest wait for the browser to say where it listens, and again to connect, in milliseconds. */
const CONNECT_MS = 5_000;
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;
/** What the browser calls its own connection. */
const PATH = /^\/devtools\/browser\/[\w-]+$/;
const NORMAL_END = 1000;

/**
 * Connects to a browser of the user's, which was started with `--remote-debugging-port`. Needs `net` for its host.
 *
 * @param address As `http://127.0.0.1:9222`; only of this machine, or of a host that flags or the configuration name
 * @throws {ToolError} `invalid_input`, `permission_denied`, `unavailable` if nobody answers there
 */
export async function openUserBrowser(address: string, grants: Grants): Promise<DrivenPipe> {
  const url = readAddress(address);
  if (!LOOPBACK.test(url.hostname)) {
    const target = { host: url.hostname, port: Number(url.port || 80) };
    const decision = decideName(programRules(grants), target);
    if (!decision.allowed) throw netRefusal(decision, target);
  }
  try {
    const path = PATH.test(url.pathname) ? url.pathname : await ownPath(url);
    return await connected(new WebSocket(`ws://${url.host}${path}`));
  } catch (error) {
    if (error instanceof ToolError) throw error;
    const why = error instanceof Error ? error.message : String(error);
    throw new ToolError(
      "unavailable",
      `Your browser at ${url.host} cannot be reached: ${why}; start it with --remote-debugging-port=${
        url.port || "9222"
      } and a --user-data-dir of its own`,
      { cause: error },
    );
  }
}

function readAddress(address: string): URL {
  const url = URL.parse(/^[a-z]+:\/\//i.test(address) ? address : `http://${address}`);
  const isPlain = url !== null && ["http:", "ws:"].includes(url.protocol) && url.username === "" &&
    url.password === "";
  if (isPlain) return url;
  throw new ToolError(
    "invalid_input",
    `Cannot use --browser-url ${
      JSON.stringify(address)
    }: write the debugging address, such as http://127.0.0.1:9222`,
  );
}

/** Of what answers there, the path alone counts: it leads to no other host. */
async function ownPath({ host }: URL): Promise<string> {
  const answer = await fetch(`http://${host}/json/version`, {
    redirect: "error",
    signal: AbortSignal.timeout(CONNECT_MS),
  });
  const { webSocketDebuggerUrl: told } = await answer.json() as { webSocketDebuggerUrl?: unknown };
  const path = typeof told === "string" ? URL.parse(told)?.pathname ?? "" : "";
  if (PATH.test(path)) return path;
  throw new ToolError("unavailable", `What answers at ${host} is no browser with a debugging port`);
}

async function connected(socket: WebSocket): Promise<DrivenPipe> {
  socket.binaryType = "arraybuffer";
  const [encoder, decoder] = [new TextEncoder(), new TextDecoder()];
  const stdout = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start(controller) {
      socket.onmessage = ({ data }) => controller.enqueue(encoder.encode(`${data}\0`));
      socket.onclose = () => controller.close();
    },
  });
  await new Promise<void>((resolve, reject) => {
    const late = setTimeout(() => reject(new Error("it does not answer")), CONNECT_MS);
    socket.onopen = () => {
      clearTimeout(late);
      resolve();
    };
    socket.onerror = () => {
      clearTimeout(late);
      reject(new Error("it refuses the connection"));
    };
  });
  return {
    stdout,
    stderr: "",
    // Each write is one message, with its end.
    write: (bytes) => Promise.resolve(socket.send(decoder.decode(bytes.subarray(0, -1)))),
    close() {
      if (socket.readyState <= WebSocket.OPEN) socket.close(NORMAL_END);
      return Promise.resolve({ exitCode: 0, reason: "exited", warnings: [] });
    },
  };
}
