import type { Attempt } from "./plan.ts";

const SYMBOLS = {
  open: { parameters: ["buffer", "i32", "i32"], result: "i32" },
  truncate: { parameters: ["buffer", "i64"], result: "i32" },
  socket: { parameters: ["i32", "i32", "i32"], result: "i32" },
  connect: { parameters: ["i32", "buffer", "u32"], result: "i32" },
  sendto: { parameters: ["i32", "buffer", "usize", "i32", "buffer", "u32"], result: "i64" },
  kill: { parameters: ["i32", "i32"], result: "i32" },
  ptrace: { parameters: ["i64", "i32", "usize", "usize"], result: "i64" },
  unshare: { parameters: ["i32"], result: "i32" },
  keyctl: { name: "syscall", parameters: ["i64", "i64", "i64", "i64"], result: "i64" },
  close: { parameters: ["i32"], result: "i32" },
  __errno_location: { parameters: [], result: "pointer" },
} as const satisfies Deno.ForeignLibraryInterface;

const O = { read: 0, write: 1, list: 0o200000 };
const AF_UNIX = 1;
const AF_INET = 2;
const STREAM = 1;
const DATAGRAM = 2;
const TRACE_ATTACH = 16n;
const NEW_USER = 0x10000000;
const KEYCTL = 250n;

/**
 * Returns what tries something as a program would, by the calls themselves, and says how it ended: with 0, or with the number
 * of the error. Needs `ffi`.
 */
export function makeAttempts(): (attempt: Attempt) => number {
  const { symbols: libc } = Deno.dlopen("libc.so.6", SYMBOLS);
  const errno = () => new Deno.UnsafePointerView(libc.__errno_location()!).getInt32();
  const ended = (result: number | bigint) => Number(result) < 0 ? errno() : 0;
  const text = (value: string) => new TextEncoder().encode(`${value}\0`);
  const withSocket = (family: number, type: number, use: (socket: number) => number) => {
    const socket = libc.socket(family, type, 0);
    if (socket < 0) return errno();
    const found = use(socket);
    libc.close(socket);
    return found;
  };
  const local = (path: Uint8Array) => Uint8Array.from([AF_UNIX, 0, ...path]);
  const loopback = (port: number) =>
    Uint8Array.from([AF_INET, 0, port >> 8, port & 255, ...[127, 0, 0, 1], ...Array(8).fill(0)]);
  const reach = (family: number, address: Uint8Array<ArrayBuffer>) =>
    withSocket(family, STREAM, (socket) => ended(libc.connect(socket, address, address.length)));
  return (attempt) => {
    switch (attempt.try) {
      case "read":
      case "write":
      case "list": {
        const file = libc.open(text(attempt.path), O[attempt.try], 0);
        if (file < 0) return errno();
        libc.close(file);
        return 0;
      }
      case "truncate":
        return ended(libc.truncate(text(attempt.path), 0n));
      case "socket":
        return withSocket(attempt.family, attempt.type, () => 0);
      case "tcp":
        return reach(AF_INET, loopback(attempt.port));
      case "unix":
        return reach(AF_UNIX, local(text(attempt.path)));
      case "abstract":
        return reach(AF_UNIX, local(text(`\0${attempt.name}`).slice(0, -1)));
      case "udp": {
        const to = loopback(attempt.port);
        return withSocket(
          AF_INET,
          DATAGRAM,
          (socket) => ended(libc.sendto(socket, text("x"), 1n, 0, to, to.length)),
        );
      }
      case "signal":
        return ended(libc.kill(attempt.pid, 0));
      case "trace":
        return ended(libc.ptrace(TRACE_ATTACH, attempt.pid, 0n, 0n));
      case "namespace":
        return ended(libc.unshare(NEW_USER));
      case "keys":
        return ended(libc.keyctl(KEYCTL, 0n, -3n, 1n));
    }
  };
}
