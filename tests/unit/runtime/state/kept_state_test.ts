import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { join } from "@std/path";

import { makeApartFolder, removeTree } from "../../../../runtime/state/apart_folder.ts";
import { HeldNames } from "../../../../runtime/state/held_names.ts";
import { holdLogin, keepLogin, readLogin, removeLogin } from "../../../../runtime/state/login_store.ts";
import { diskSession, memorySession, sessionFolder } from "../../../../runtime/state/tool_state.ts";
import {
  hashOfPart,
  keepTrust,
  listTrust,
  readTrust,
  removeTrust,
  type TrustRecord,
} from "../../../../runtime/state/trust/trust_store.ts";
import { exists, namesIn } from "../../../../runtime/walls/files/file_facts.ts";
import { ToolError } from "../../../../schemas/error.ts";
import { codeOf } from "../../../support/refusal.ts";
import { workspace } from "../../../support/run_tool.ts";

Deno.test("memorySession() keeps the keys of toolsets apart", { permissions: "none" }, async () => {
  const session = memorySession();
  await session.set("a", "k", { n: 1 });
  assertEquals(await session.get("a", "k"), { n: 1 });
  assertEquals(await session.get("b", "k"), undefined);
});

Deno.test("diskSession() keeps values for later runs, in private files", async () => {
  using root = workspace();
  const folder = root.at("s");
  assertEquals(await diskSession(folder).get("a", "/some/path"), undefined);
  await diskSession(folder).set("a", "/some/path", ["x"]);
  await diskSession(folder).set("a", "/some/path", ["y"]);
  assertEquals(await diskSession(folder).get("a", "/some/path"), ["y"]);
  assertEquals(await diskSession(folder).get("b", "/some/path"), undefined);
  await diskSession(folder).set("../up", "/k", "from a broken room");
  assertEquals([...Deno.readDirSync(root.path)].map(({ name }) => name), ["s"]);
  const files = [...Deno.readDirSync(folder)];
  assertEquals(files.length, 2);
  assertEquals((Deno.statSync(join(folder, files[0]!.name)).mode ?? 0) & 0o777, 0o600);
  assertEquals((Deno.statSync(folder).mode ?? 0) & 0o777, 0o700);
});

Deno.test("sessionFolder() refuses ids that name other folders", { permissions: "none" }, () => {
  assertEquals(sessionFolder("/state", "run-1.a"), "/state/sessions/run-1.a");
  for (const id of ["", ".", "..", "../x", "a/b", "-x", "a\0", "x".repeat(65)]) {
    assertThrows(() => sessionFolder("/state", id), ToolError, "must be 1 to 64 letters");
  }
});

const NEVER = new AbortController().signal;

/** Lets everything happen that waits for nothing else. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
}

Deno.test("HeldNames gives a name to one after the other, and other names at once", async () => {
  const names = new HeldNames();
  const order: number[] = [];
  const take = async (name: string, number: number) => {
    const hold = await names.hold(name, NEVER);
    order.push(number);
    return hold;
  };
  const first = await take("a", 1);
  const [second, third] = [take("a", 2), take("a", 3)];
  (await take("b", 4))[Symbol.dispose]();
  assertEquals(order, [1, 4]);
  first[Symbol.dispose]();
  const two = await second;
  await settle();
  assertEquals(order, [1, 4, 2]);
  two[Symbol.dispose]();
  (await third)[Symbol.dispose]();
  assertEquals(order, [1, 4, 2, 3]);
});

Deno.test("HeldNames lets those in who stand behind one that gave up", { permissions: "none" }, async () => {
  const names = new HeldNames();
  const first = await names.hold("a", NEVER);
  const stop = new AbortController();
  const second = names.hold("a", stop.signal);
  const third = names.hold("a", NEVER);
  stop.abort(new Error("enough"));
  await assertRejects(() => second, Error, "enough");
  let isIn = false;
  third.then(() => isIn = true);
  await settle();
  assertEquals(isIn, false);
  first[Symbol.dispose]();
  (await third)[Symbol.dispose]();
});

/** Deno 2.6 can only wait for the system's locks: a wait that was given up ends by itself, some time later. */
const canTryLocks = "tryLock" in Deno.FsFile.prototype;

Deno.test("a session on disk holds names against other processes, and leaves no lock behind", {
  sanitizeOps: canTryLocks,
}, async () => {
  using root = workspace();
  const folder = root.at("s");
  // As two processes: each has names of its own.
  const [one, other] = [diskSession(folder), diskSession(folder)];
  const add = async (session: typeof one) => {
    using _ = await session.hold!("t", "count", NEVER);
    const count = Number(await session.get("t", "count") ?? 0);
    await session.set("t", "count", count + 1);
  };
  await Promise.all(Array.from({ length: 40 }, (_, at) => add(at % 2 === 0 ? one : other)));
  assertEquals(await one.get("t", "count"), 40);
  const hold = await one.hold!("t", "count", NEVER);
  await assertRejects(() => other.hold!("t", "count", AbortSignal.timeout(30)), DOMException);
  hold[Symbol.dispose]();
  (await other.hold!("t", "count", NEVER))[Symbol.dispose]();
  assertEquals([...Deno.readDirSync(folder)].length, 1);
});

Deno.test("makeApartFolder() makes a private folder once, and gives a kept one its mode back", async () => {
  using ws = workspace();
  const path = ws.at("s/apart");
  const folder = makeApartFolder(() => path, { keeps: true });
  assertEquals(await Promise.all([folder.open(), folder.open()]), [path, path]);
  assertEquals(Deno.statSync(path).mode! & 0o777, 0o700);
  Deno.writeTextFileSync(join(path, "a"), "");
  Deno.chmodSync(path, 0o000);
  await folder.end();
  await makeApartFolder(() => path, { keeps: true }).open();
  assertEquals([Deno.statSync(path).mode! & 0o777, exists(join(path, "a"))], [0o700, true]);
});

Deno.test("makeApartFolder() refuses what is no folder, and tries again later", async () => {
  using ws = workspace({ "s/file": "" });
  Deno.symlinkSync(ws.path, ws.at("s/link"));
  for (const name of ["file", "link"]) {
    const folder = makeApartFolder(() => ws.at(`s/${name}`), { keeps: true });
    assertEquals(await codeOf(() => folder.open()), "conflict");
    Deno.removeSync(ws.at(`s/${name}`));
    assertEquals(await folder.open(), ws.at(`s/${name}`));
  }
});

Deno.test("makeApartFolder() removes what does not outlive the run, with the folder around it", async () => {
  using ws = workspace();
  const folder = makeApartFolder(() => ws.at("runs/one/apart"), { keeps: false });
  await folder.end();
  assertEquals(exists(ws.at("runs")), false);
  Deno.symlinkSync(ws.at("kept"), join(await folder.open(), "link"));
  await folder.end();
  assertEquals([exists(ws.at("runs")), exists(ws.at("runs/one"))], [true, false]);
});

Deno.test("removeTree() removes folders that a program closed", async () => {
  using ws = workspace({ "a/b/c": "" });
  Deno.chmodSync(ws.at("a/b"), 0o000);
  await removeTree(ws.at("a"));
  assertEquals(exists(ws.at("a")), false);
});

const SERVER = "https://a.example/mcp";

function store(): { state: string; folder: string; file(): string; mode(path: string): string } & Disposable {
  const state = Deno.makeTempDirSync();
  const folder = `${state}/logins`;
  return {
    state,
    folder,
    file: () => `${folder}/${[...Deno.readDirSync(folder)][0]!.name}`,
    mode: (path) => (Deno.lstatSync(path).mode! & 0o777).toString(8),
    [Symbol.dispose]: () => Deno.removeSync(state, { recursive: true }),
  };
}

Deno.test("a login is its user's alone, and forgotten without a rest", async () => {
  using made = store();
  await keepLogin(made.state, SERVER, { tokens: 1 });
  assertEquals([made.mode(made.folder), made.mode(made.file())], ["700", "600"]);
  // A folder that others only read is closed to them.
  Deno.chmodSync(made.folder, 0o755);
  await keepLogin(made.state, SERVER, { tokens: 2 });
  assertEquals([made.mode(made.folder), (await readLogin(made.state, SERVER))?.tokens], ["700", 2]);
  assertEquals(await removeLogin(made.state, SERVER), true);
  assertEquals([...Deno.readDirSync(made.folder)], []);
});

Deno.test("whoever holds a login removes what a killed run left of it, and nothing else", async () => {
  using made = store();
  await keepLogin(made.state, SERVER, { tokens: 1 });
  const kept = made.file();
  const other = `${made.folder}/other.json.${crypto.randomUUID()}.new`;
  for (const path of [`${kept}.${crypto.randomUUID()}.new`, other]) Deno.writeTextFileSync(path, "half");
  (await holdLogin(made.state, SERVER, new AbortController().signal))[Symbol.dispose]();
  const left = [...Deno.readDirSync(made.folder)].map(({ name }) => `${made.folder}/${name}`).sort();
  assertEquals(left, [kept, other].sort());
  assertEquals((await readLogin(made.state, SERVER))?.tokens, 1);
});

Deno.test("a store that is a link, or open to others, is refused in all its uses", async () => {
  const { signal } = new AbortController();
  const hold = (state: string, url: string) => holdLogin(state, url, signal);
  const spoil: readonly ((made: ReturnType<typeof store>) => string)[] = [
    (made) => {
      Deno.renameSync(made.folder, `${made.state}/elsewhere`);
      Deno.symlinkSync(`${made.state}/elsewhere`, made.folder);
      return `"${made.folder}" is a link: remove it`;
    },
    ...[0o777, 0o720].map((mode) => (made: ReturnType<typeof store>) => {
      Deno.chmodSync(made.folder, mode);
      return `chmod 700 ${made.folder}`;
    }),
  ];
  for (const one of spoil) {
    using made = store();
    await keepLogin(made.state, SERVER, { tokens: 1 });
    const said = one(made);
    const uses = [readLogin, (state: string, url: string) => keepLogin(state, url, {}), hold];
    for (const use of uses) {
      const error = await assertRejects(() => use(made.state, SERVER), ToolError);
      assert(error.code === "denied_by_policy" && error.message.includes(said), error.message);
    }
  }
});

Deno.test("a kept login that is a link, or open to others, is not used, and replaced by the next", async () => {
  const spoil: readonly ((file: string, state: string) => void)[] = [
    (file) => Deno.chmodSync(file, 0o644),
    (file) => Deno.chmodSync(file, 0o602),
    (file, state) => {
      Deno.renameSync(file, `${state}/planted`);
      Deno.symlinkSync(`${state}/planted`, file);
    },
  ];
  for (const one of spoil) {
    using made = store();
    await keepLogin(made.state, SERVER, { tokens: 1 });
    one(made.file(), made.state);
    await assertRejects(() => readLogin(made.state, SERVER), ToolError, "The kept logins are not used");
    await keepLogin(made.state, SERVER, { tokens: 2 });
    assertEquals([(await readLogin(made.state, SERVER))?.tokens, made.mode(made.file())], [2, "600"]);
  }
});

const record = (folder: string, parts: Record<string, string> = {}): TrustRecord => ({
  ...{ folder, parts },
  since: "2026-01-02T03:04:05.000Z",
});

Deno.test("what the user trusts is kept for each folder, privately, and forgotten", async () => {
  using ws = workspace();
  const state = ws.at("state");
  assertEquals([await readTrust(state, "/b"), listTrust(state)], [null, []]);
  await keepTrust(state, record("/b", { ".mcp.json": "1" }));
  await keepTrust(state, record("/a"));
  await keepTrust(state, record("/b", { "t.ts": "2" }));
  assertEquals(await readTrust(state, "/b"), record("/b", { "t.ts": "2" }));
  assertEquals(listTrust(state).map(({ folder }) => folder), ["/a", "/b"]);
  const [name = ""] = namesIn(ws.at("state/trust"));
  assertEquals(Deno.statSync(ws.at("state/trust")).mode! & 0o777, 0o700);
  assertEquals(Deno.statSync(ws.at(`state/trust/${name}`)).mode! & 0o777, 0o600);
  assertEquals([await removeTrust(state, "/b"), await removeTrust(state, "/b")], [true, false]);
  assertEquals([await readTrust(state, "/b"), listTrust(state).length], [null, 1]);
});

Deno.test("a record that cannot be read, or is another folder's, trusts nothing", async () => {
  using ws = workspace();
  const state = ws.at("state");
  await keepTrust(state, record("/a", { "t.ts": "1" }));
  const path = ws.at(`state/trust/${await hashOfPart("/a")}.json`);
  const texts = [
    ...["", "{", "[]", '{"v":2,"folder":"/a","since":"","parts":{}}'],
    '{"v":1,"folder":"/b","since":"","parts":{"t.ts":"1"}}',
    '{"v":1,"folder":"/a","since":"","parts":{"t.ts":1}}',
  ];
  for (const text of texts) {
    Deno.writeTextFileSync(path, text);
    assertEquals(await readTrust(state, "/a"), null, text);
  }
  assertEquals(exists(path), true);
});

Deno.test("a login is its own server's, also where its file lies in another's place", async () => {
  using made = store();
  await keepLogin(made.state, SERVER, { tokens: 1 });
  const text = Deno.readTextFileSync(made.file());
  Deno.removeSync(made.file());
  await keepLogin(made.state, "https://b.example/mcp", { tokens: 2 });
  Deno.writeTextFileSync(made.file(), text);
  assertEquals(await readLogin(made.state, "https://b.example/mcp"), null);
});
