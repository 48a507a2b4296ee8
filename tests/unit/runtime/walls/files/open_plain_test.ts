import { assertEquals, assertThrows } from "@std/assert";
import { join } from "@std/path";

import {
  openPlain,
  piecesOfFile,
  readFirstBytes,
  readNamedText,
  readPlain,
  readPlainSlowly,
  readSettingsText,
} from "../../../../../runtime/walls/files/open_plain.ts";
import { ToolError } from "../../../../../schemas/error.ts";

/** A folder `in` with a file, one `out` with another of that name, all removed at the end. */
function place() {
  const root = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "bulkhead-plain-" }));
  const at = (path: string) => join(root, path);
  for (const side of ["in", "out"]) {
    Deno.mkdirSync(at(side));
    Deno.writeTextFileSync(at(`${side}/a.txt`), side);
  }
  return { at, [Symbol.dispose]: () => Deno.removeSync(root, { recursive: true }) };
}

/** Does something right after a look at the disk, as another program can; told which look it was, from 1 on. */
function afterLook(name: "lstatSync" | "realPathSync", act: (turn: number) => void): Disposable {
  const real = Deno[name] as (...given: unknown[]) => unknown;
  let turn = 0;
  const look = (...given: unknown[]) => {
    try {
      return real(...given);
    } finally {
      act(++turn);
    }
  };
  Object.assign(Deno, { [name]: look });
  return { [Symbol.dispose]: () => void Object.assign(Deno, { [name]: real }) };
}

const read = (path: string, options: Parameters<typeof openPlain>[1] = {}) => {
  const bytes = readPlain(path, { maxBytes: 1_000, ...options });
  return bytes && new TextDecoder().decode(bytes);
};

Deno.test("openPlain() takes regular files of their folder alone, and waits for none", async () => {
  using place_ = place();
  const { at } = place_;
  await new Deno.Command("mkfifo", { args: [at("in/pipe")] }).output();
  using _socket = Deno.listen({ transport: "unix", path: at("in/socket") });
  Deno.symlinkSync("a.txt", at("in/link"));
  Deno.symlinkSync("in", at("way"));
  Deno.symlinkSync("/dev/zero", at("in/zero"));
  assertEquals(read(at("in/a.txt")), "in");
  const others = ["in", "in/pipe", "in/socket", "in/link", "in/zero", "way/a.txt", "in/none", "in/a.txt/x"];
  assertEquals(others.filter((path) => read(at(path)) !== null), []);
  assertEquals(others.filter((path) => read(at(path), { follows: true }) !== null), ["in/link", "way/a.txt"]);
  Deno.linkSync(at("in/a.txt"), at("in/second"));
  assertEquals([read(at("in/second")), read(at("in/second"), { mayHaveNames: true })], [null, "in"]);
  const expected = Deno.lstatSync(at("out/a.txt"));
  assertEquals(read(at("in/a.txt"), { mayHaveNames: true, expected }), null);
});

Deno.test("openPlain() opens no pipe and no link that takes the place of a file after the look at it", async () => {
  using place_ = place();
  const { at } = place_;
  await new Deno.Command("mkfifo", { args: [at("pipe")] }).output();
  Deno.symlinkSync(at("out/a.txt"), at("link"));
  for (const other of ["pipe", "link"]) {
    using _swapped = afterLook("lstatSync", (turn) => {
      if (turn !== 1) return;
      Deno.renameSync(at("in/a.txt"), at("kept"));
      Deno.renameSync(at(other), at("in/a.txt"));
    });
    assertEquals(read(at("in/a.txt")), null, other);
    Deno.renameSync(at("kept"), at("in/a.txt"));
  }
});

Deno.test("openPlain() sees that a folder is swapped, also for one who swaps at each look", () => {
  using place_ = place();
  const { at } = place_;
  Deno.symlinkSync("out", at("link"));
  const swap = () => {
    Deno.renameSync(at("in"), at("between"));
    Deno.renameSync(at("link"), at("in"));
    Deno.renameSync(at("between"), at("link"));
  };
  const random = crypto.getRandomValues;
  try {
    crypto.getRandomValues = (<T extends ArrayBufferView | null>(bytes: T) => {
      if (bytes instanceof Uint8Array) bytes.forEach((_, index) => bytes[index] = index % 3);
      return bytes;
    }) as typeof random;
    swap();
    // Real for each look at the path, and elsewhere for each look at the file.
    using _file = afterLook("lstatSync", swap);
    using _path = afterLook("realPathSync", swap);
    for (let turn = 0; turn < 4; turn++) {
      const found = read(at("in/a.txt"));
      assertEquals(found === "out", false);
      if (turn === 1) swap();
    }
  } finally {
    crypto.getRandomValues = random;
  }
});

Deno.test("readers of plain files keep to their bounds, and say what is no text", async () => {
  using place_ = place();
  const { at } = place_;
  const large = "0123456789".repeat(300_000);
  Deno.writeTextFileSync(at("in/large"), large);
  const { code } = assertThrows(() => readPlain(at("in/large"), { maxBytes: 10 }), ToolError);
  assertEquals(code, "limit_exceeded");
  const slowly = await readPlainSlowly(at("in/large"), { maxBytes: 4_000_000 });
  assertEquals(new TextDecoder().decode(slowly!), large);
  const pieces = await Array.fromAsync(piecesOfFile(openPlain(at("in/large"))!));
  assertEquals(pieces.reduce((sum, { length }) => sum + length, 0), large.length);
  assertEquals(readSettingsText(at("in/large"), { maxBytes: 10 }), null);
  assertEquals(new TextDecoder().decode(readFirstBytes(at("in/large"), 12)!), "012345678901");
  assertEquals(readFirstBytes(at("in/none"), 12), null);
  assertThrows(() => readNamedText(at("in/none")), Deno.errors.NotFound);
  assertThrows(() => readNamedText(at("in")), Deno.errors.IsADirectory);
  assertThrows(() => readNamedText("/dev/zero"), ToolError, "not a regular file");
});

Deno.test("a file that somebody has a lease on is not waited for", async () => {
  using place_ = place();
  const path = place_.at("in/a.txt");
  const code =
    "import fcntl,sys,time\nf=open(sys.argv[1],'r+')\nfcntl.fcntl(f,1024,1)\nprint(1,flush=True)\nsys.stdin.read()";
  const holder = new Deno.Command("python3", {
    args: ["-c", code, path],
    stdin: "piped",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const reader = holder.stdout.getReader();
  const { value } = await reader.read();
  // Where the system gives no lease, there is nothing to see.
  const found = value === undefined ? null : read(path);
  await reader.cancel();
  await holder.stdin.close();
  await holder.status;
  assertEquals(found, null);
});
