import { assertEquals, assertRejects } from "@std/assert";
import { join } from "@std/path";

import { createGuard } from "../../../../../runtime/walls/files/guard.ts";
import { writeInPlace } from "../../../../../runtime/walls/files/replace_file.ts";
import { ToolError } from "../../../../../schemas/error.ts";
import type { FileGrants } from "../../../../../schemas/grants.ts";

/** A workspace `ws` with a file, and a secret beside it, both removed at the end. */
function place() {
  const root = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "bulkhead-moments-" }));
  const [ws, secret] = [join(root, "ws"), join(root, "secret.txt")];
  Deno.mkdirSync(ws);
  Deno.writeTextFileSync(join(ws, "a.txt"), "inside");
  Deno.writeTextFileSync(secret, "outside");
  const grants: FileGrants = {
    ...{ workspace: ws, home: "", read: [ws], write: [ws], denyRead: [], denyWrite: [], secrets: [] },
    ...{ writeNamed: [], aliases: [] },
  };
  return { ws, secret, grants, [Symbol.dispose]: () => Deno.removeSync(root, { recursive: true }) };
}

type Asked = "openSync" | "lstatSync";

/** Does something right before a question to the system about a path, as another program can. */
function before(name: Asked, path: string, times: number, act: () => void): Disposable {
  const real = Deno[name] as (...given: unknown[]) => unknown;
  let left = times;
  const first = (...given: unknown[]) => {
    if (given[0] === path && --left === 0) act();
    return real(...given);
  };
  Object.assign(Deno, { [name]: first });
  return { [Symbol.dispose]: () => void Object.assign(Deno, { [name]: real }) };
}

Deno.test("createGuard() opens no file that took another's place after the check", async () => {
  using at = place();
  const path = join(at.ws, "a.txt");
  let swaps = 0;
  const swap = () => {
    swaps++;
    Deno.removeSync(path);
    Deno.symlinkSync(at.secret, path);
  };
  for (const [name, times] of [["openSync", 1], ["lstatSync", 2]] as const) {
    Deno.removeSync(path);
    Deno.writeTextFileSync(path, "inside");
    using _swapped = before(name, path, times, swap);
    const error = await assertRejects(() => createGuard(at.grants, "t").open("a.txt"), ToolError);
    // It was tried again, and then refused for where it leads.
    assertEquals([error.code, error.details.reason], ["permission_denied", "outside"], name);
  }
  assertEquals(swaps, 2);
});

Deno.test("writeInPlace() changes nothing of a file that its check refuses", async () => {
  using at = place();
  const check = () => {
    throw new Error("another one");
  };
  await assertRejects(() => writeInPlace(at.secret, new Uint8Array(), { isNew: false, check }), Error);
  assertEquals(Deno.readTextFileSync(at.secret), "outside");
});

Deno.test("createGuard() lets what is there be kept before anything is changed", async () => {
  using at = place();
  const kept: string[] = [];
  const see = (path: string) => {
    kept.push(`${path.slice(at.ws.length + 1)}: ${Deno.readTextFileSync(join(at.ws, "a.txt"))}`);
    return Promise.resolve();
  };
  const files = createGuard(at.grants, "t", () => {}, see);
  await files.write("a.txt", new TextEncoder().encode("new"));
  await files.write("made/b.txt", new Uint8Array(), { createDirs: true });
  await files.remove("a.txt");
  assertEquals(kept, ["a.txt: inside", "made/b.txt: new", "a.txt: new"]);
  const stopped = createGuard(at.grants, "t", () => {}, () => Promise.reject(new Error("full")));
  await assertRejects(
    () => stopped.write("other/c.txt", new Uint8Array(), { createDirs: true }),
    Error,
    "full",
  );
  assertEquals([...Deno.readDirSync(at.ws)].map(({ name }) => name), ["made"]);
});

Deno.test("createGuard() replaces no pipe by a file", async () => {
  using at = place();
  const path = join(at.ws, "pipe");
  await new Deno.Command("mkfifo", { args: [path] }).output();
  const { code } = await assertRejects(
    () => createGuard(at.grants, "t").write("pipe", new Uint8Array()),
    ToolError,
  );
  assertEquals([code, Deno.lstatSync(path).isFifo], ["invalid_input", true]);
});

Deno.test("createGuard() keeps searches out of the kernel's folders, its own, and logins of git", () => {
  using at = place();
  const own = join(at.ws, "state");
  const config = join(at.ws, ".git/config");
  Deno.mkdirSync(join(at.ws, ".git"));
  Deno.writeTextFileSync(config, '[remote "origin"]\n\turl = https://me:geheim123456@example.com/x.git\n');
  const files = createGuard({ ...at.grants, read: true, own: [own] }, "t");
  const paths = ["/proc", "/sys", "/dev", own, join(own, "x"), config, at.ws, join(at.ws, "a.txt")];
  assertEquals(paths.filter((path) => files.mayRead(path)), paths.slice(-2));
  const allowed = createGuard({ ...at.grants, secrets: [config] }, "t");
  assertEquals(allowed.mayRead(config), true);
});

Deno.test("createGuard() makes no folder that is not granted for the file in it", async () => {
  using at = place();
  const single = createGuard({ ...at.grants, write: [join(at.ws, "new/a.txt")] }, "t");
  const write = (files: typeof single, path: string) =>
    assertRejects(() => files.write(path, new Uint8Array(), { createDirs: true }), ToolError);
  assertEquals((await write(single, "new/a.txt")).code, "permission_denied");
  assertEquals((await write(createGuard(at.grants, "t"), "a.txt/b")).code, "invalid_input");
  const { code } = await assertRejects(() => createGuard(at.grants, "t").remove("none.txt"), ToolError);
  assertEquals([code, [...Deno.readDirSync(at.ws)].map(({ name }) => name)], ["not_found", ["a.txt"]]);
});
