import { assert, assertEquals, assertRejects } from "@std/assert";

import { holdLogin, keepLogin, readLogin, removeLogin } from "../../../../runtime/state/login_store.ts";
import { ToolError } from "../../../../schemas/error.ts";

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
  const spoil: readonly ((made: ReturnType<typeof store>) => string)[] = [
    (made) => {
      Deno.renameSync(made.folder, `${made.state}/elsewhere`);
      Deno.symlinkSync(`${made.state}/elsewhere`, made.folder);
      return `"${made.folder}" is a link: remove it`;
    },
    (made) => {
      Deno.chmodSync(made.folder, 0o777);
      return `chmod 700 ${made.folder}`;
    },
    (made) => {
      Deno.chmodSync(made.folder, 0o720);
      return `chmod 700 ${made.folder}`;
    },
  ];
  for (const one of spoil) {
    using made = store();
    await keepLogin(made.state, SERVER, { tokens: 1 });
    const said = one(made);
    for (
      const use of [
        () => readLogin(made.state, SERVER),
        () => keepLogin(made.state, SERVER, {}),
        () => holdLogin(made.state, SERVER, signal),
      ]
    ) {
      const error = await assertRejects(use, ToolError);
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
