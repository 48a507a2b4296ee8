import type { Manifest } from "./schemas/manifest.ts";

// Nothing is imported before this: all that runs behind it has no way to native code, workers included.
if (Deno.args[0] === "__launch") {
  const { launch } = await import("./runtime/walls/landlock/launch.ts");
  const stderr = (text: string) => void Deno.stderr.writeSync(new TextEncoder().encode(text));
  await launch({ env: (name) => Deno.env.get(name), stderr, exit: (code) => Deno.exit(code) });
}
Deno.permissions.revokeSync({ name: "ffi" });

const { SIGNAL_CODES } = await import("./runtime/cli/io/signal_codes.ts");
const { writeInOrder } = await import("./runtime/cli/io/write_in_order.ts");
const { BRIDGE_COMMAND, COMPILE_COMMAND, findSelf, PAGES_COMMAND, ROOM_COMMAND } = await import(
  "./runtime/self/find_self.ts"
);

if (Deno.args[0] === ROOM_COMMAND) {
  const { runRoomProcess } = await import("./runtime/rooms/inside/room_process.ts");
  const write = (bytes: Uint8Array) => {
    for (let at = 0; at < bytes.length;) at += Deno.stdout.writeSync(bytes.subarray(at));
  };
  const read = (buffer: Uint8Array) => Deno.stdin.read(buffer);
  const readSync = (buffer: Uint8Array) => Deno.stdin.readSync(buffer);
  Deno.exit(await runRoomProcess({ read, readSync, write }));
}

if (Deno.args[0] === BRIDGE_COMMAND) {
  const { runBridge } = await import("./runtime/net/bridge/run_bridge.ts");
  const write = (text: string) => void Deno.stdout.writeSync(new TextEncoder().encode(text));
  Deno.exit(await runBridge(Deno.args.slice(1), { read: (buffer) => Deno.stdin.read(buffer), write }));
}

if (Deno.args[0] === PAGES_COMMAND) {
  const { runPages } = await import("./runtime/net/pages/serve_pages.ts");
  const write = (text: string) => void Deno.stdout.writeSync(new TextEncoder().encode(text));
  Deno.exit(await runPages(Deno.args.slice(1), { read: (buffer) => Deno.stdin.read(buffer), write }));
}

if (Deno.args[0] === COMPILE_COMMAND && Deno.args[1]) {
  const { fillCompiled } = await import("./runtime/rooms/compiled/fill_compiled.ts");
  const { tools } = await manifest();
  const self = findSelf(import.meta.url, (name) => Deno.env.get(name));
  await fillCompiled(Deno.args[1]!, self, tools.map(({ full_name }) => full_name));
  Deno.exit(0);
}

/** A terminal that is left raw would show nothing that is typed in it. */
let isRaw = false;
const setRaw = (raw: boolean, { signals = true } = {}) =>
  Deno.stdin.setRaw(isRaw = raw, { cbreak: raw && signals });
/** Signals of keys are meant for a program in front. */
let isLent = false;
const KEY_SIGNALS: readonly Deno.Signal[] = ["SIGINT", "SIGQUIT"];
const exit = (code: number): never => {
  if (isRaw) setRaw(false);
  Deno.exit(code);
};

const interrupt = new AbortController();
const beforeExit = new Set<() => Promise<void>>();
for (const signal of ["SIGINT", "SIGTERM", "SIGQUIT"] as const) hear(signal);

/** Keys may come in the middle of a character. */
const typed = new TextDecoder();
const { runCli } = await import("./runtime/cli/run_cli.ts");
const stderr = writeInOrder(Deno.stderr);
const code = await runCli(Deno.args, {
  mainUrl: import.meta.url,
  manifest,
  env: (name) => Deno.env.get(name),
  variables: () => Deno.env.toObject(),
  cwd: () => Deno.cwd(),
  stdin: () => Deno.stdin.readable,
  stdinIsTerminal: () => Deno.stdin.isTerminal(),
  keyboard: { read: readTyped, setRaw, lend: () => void (isLent = true), rows },
  stdout: writeInOrder(Deno.stdout),
  stdoutWidth: () => widthOf(Deno.stdout),
  stderr,
  stderrWidth: () => widthOf(Deno.stderr),
  interrupt: interrupt.signal,
  process: { hearHangup: () => hear("SIGHUP"), beforeExit },
});
// The run does not wait for its warnings.
await stderr(new Uint8Array(0)).catch(() => {});
exit(code);

/** TypeScript widens the literals of JSON; the file is generated from this very type. */
async function manifest(): Promise<Manifest> {
  return (await import("./tools/manifest.json", { with: { type: "json" } })).default as Manifest;
}

function hear(signal: Deno.Signal): void {
  Deno.addSignalListener(signal, async () => {
    if (isLent && KEY_SIGNALS.includes(signal)) return;
    if (!interrupt.signal.aborted) return interrupt.abort(signal);
    // The second signal ends this program at once, but for what must not be left undone.
    await Promise.allSettled([...beforeExit].map((end) => end()));
    exit(SIGNAL_CODES[signal] ?? 1);
  });
}

/** A terminal gives a line at a time, in raw mode what was typed so far. */
async function readTyped(): Promise<string | null> {
  const buffer = new Uint8Array(4096);
  const length = await Deno.stdin.read(buffer);
  return length === null ? null : typed.decode(buffer.subarray(0, length), { stream: true });
}

function rows(): number {
  return Deno.consoleSize().rows || 24;
}

/** A terminal without a size says 0. */
function widthOf(stream: { isTerminal(): boolean }): number | null {
  return stream.isTerminal() ? Deno.consoleSize().columns || 80 : null;
}
