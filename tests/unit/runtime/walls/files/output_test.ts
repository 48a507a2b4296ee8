import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";

import { holdOutput, openLines, openOutputFile } from "../../../../../runtime/walls/files/output_file.ts";
import { type OutputRules, placeOutput } from "../../../../../runtime/walls/files/place_output.ts";
import { ToolError } from "../../../../../schemas/error.ts";
import { type Workspace, workspace } from "../../../../support/run_tool.ts";
import { placed } from "../../../../support/trace_scene.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

Deno.test("holdOutput() holds the name of a new file, and leaves no empty one", async () => {
  using ws = workspace();
  {
    using held = holdOutput(placed(ws.at("new")));
    assertEquals(ws.read("new"), "");
    await held.write(bytes("text"));
  }
  assertEquals(ws.read("new"), "text");
  holdOutput(placed(ws.at("unused")))[Symbol.dispose]();
  assertEquals(Array.from(Deno.readDirSync(ws.path), ({ name }) => name), ["new"]);
});

Deno.test("holdOutput() replaces a file as a whole, with its mode, and not what else has its bytes", async () => {
  using ws = workspace({ "a": "old" });
  Deno.chmodSync(ws.at("a"), 0o640);
  Deno.linkSync(ws.at("a"), ws.at("other"));
  using reader = Deno.openSync(ws.at("a"));
  {
    using held = holdOutput(placed(ws.at("a")));
    assertEquals(ws.read("a"), "old");
    await held.write(bytes("new"));
  }
  assertEquals([ws.read("a"), ws.read("other")], ["new", "old"]);
  assertEquals(Deno.statSync(ws.at("a")).mode! & 0o777, 0o640);
  const buffer = new Uint8Array(9);
  assertEquals(reader.readSync(buffer), 3);
});

Deno.test("holdOutput() writes nothing when something else has taken the name", async () => {
  using ws = workspace({ "home/rc": "RC", "a": "old" });
  const changes: readonly (() => void)[] = [
    () => (Deno.removeSync(ws.at("a")), Deno.symlinkSync("home/rc", ws.at("a"))),
    () => (Deno.removeSync(ws.at("a")), Deno.writeTextFileSync(ws.at("a"), "theirs")),
    () => Deno.removeSync(ws.at("a")),
  ];
  for (const change of changes) {
    Deno.removeSync(ws.at("a"));
    Deno.writeTextFileSync(ws.at("a"), "old");
    using held = holdOutput(placed(ws.at("a")));
    change();
    const error = await assertRejects(() => held.write(bytes("x")), ToolError);
    assertEquals([error.code, ws.read("home/rc")], ["conflict", "RC"]);
    Deno.writeTextFileSync(ws.at("b"), "");
    Deno.renameSync(ws.at("b"), ws.at("a"));
  }
});

Deno.test("holdOutput() writes nothing when the folder has become a link", async () => {
  using ws = workspace({ "home/a": "RC", "sub/a": "old" });
  using held = holdOutput(placed(ws.at("sub/a")));
  Deno.renameSync(ws.at("sub"), ws.at("moved"));
  Deno.symlinkSync("home", ws.at("sub"));
  await assertRejects(() => held.write(bytes("x")), ToolError, "took its place");
  assertEquals(ws.read("home/a"), "RC");
});

Deno.test("openOutputFile() opens the file that was placed, never what its name leads to later", () => {
  using ws = workspace({ "home/rc": "RC", "a": "old" });
  const file = placed(ws.at("a"));
  const missing = placed(ws.at("none"));
  Deno.removeSync(ws.at("a"));
  Deno.symlinkSync("home/rc", ws.at("a"));
  Deno.symlinkSync("home/made", ws.at("none"));
  assertThrows(() => openOutputFile(file), ToolError, "took its place");
  assertThrows(() => openOutputFile(missing), Deno.errors.AlreadyExists);
  assertEquals([ws.read("home/rc"), Array.from(Deno.readDirSync(ws.at("home"))).length], ["RC", 1]);
});

Deno.test("openOutputFile() refuses a file that has a second name, and changes nothing", () => {
  using ws = workspace({ "a": "old" });
  Deno.linkSync(ws.at("a"), ws.at("b"));
  for (const append of [true, false]) {
    assertThrows(() => openOutputFile(placed(ws.at("a")), { append }), ToolError, "hard links");
  }
  assertEquals(ws.read("b"), "old");
});

Deno.test("openLines() adds line after line, until somebody else changes the file", async () => {
  using ws = workspace({ "a": "old\n", "b": "old\n" });
  using lines = openLines(placed(ws.at("a")), { append: false });
  using added = openLines(placed(ws.at("b")), { append: true });
  for (const text of ["1\n", "2\n"]) {
    await lines.write(bytes(text));
    await added.write(bytes(text));
  }
  assertEquals([ws.read("a"), ws.read("b")], ["1\n2\n", "old\n1\n2\n"]);
  Deno.writeTextFileSync(ws.at("a"), "");
  await assertRejects(() => lines.write(bytes("3\n")), ToolError, "changed it");
});

type Scene = Workspace;

/** A workspace `ws` beside a home, with the links of an earlier run and of the user. */
function scene(): Scene {
  const made = workspace({ "ws/sub/a": "", "home/.bashrc": "RC", "data/a": "", "granted/a": "" });
  const links = {
    "ws/review.md": "../home/.bashrc",
    "ws/missing": "../home/.profile",
    "ws/out": "../home",
    "ws/near": "sub/a",
    "ws/sub/chain": "../review.md",
    "granted/x": "../home/.bashrc",
    "home/reports": "../data",
    "home/into": "../ws",
    "data/loop": "loop",
  };
  for (const [at, to] of Object.entries(links)) Deno.symlinkSync(to, made.at(at));
  return made;
}

const rulesOf = (ws: Scene, calls: OutputRules["calls"] = [ws.at("ws"), ws.at("granted")]) => ({
  calls,
  workspace: ws.at("ws"),
});

Deno.test("placeOutput() refuses each link in a folder that calls can write, and names the file behind it", () => {
  using ws = scene();
  const cases: readonly (readonly [path: string, link: string, real: string])[] = [
    ["ws/review.md", "ws/review.md", "home/.bashrc"],
    ["ws/missing", "ws/missing", "home/.profile"],
    ["ws/out/new.md", "ws/out", "home/new.md"],
    ["ws/near", "ws/near", "ws/sub/a"],
    ["ws/sub/chain", "ws/sub/chain", "home/.bashrc"],
    ["ws/sub/../review.md", "ws/review.md", "home/.bashrc"],
    ["granted/x", "granted/x", "home/.bashrc"],
    ["home/into/review.md", "ws/review.md", "home/.bashrc"],
    ["home/reports/../ws/out/x", "ws/out", "home/x"],
  ];
  for (const [path, link, real] of cases) {
    const error = assertThrows(() => placeOutput(`${ws.path}/${path}`, rulesOf(ws)), ToolError);
    assertEquals(error.code, "permission_denied");
    assertEquals(error.details.link, ws.at(link));
    assertEquals(error.details.real, ws.at(real));
    assert(error.message.includes(`"${ws.at(real)}"`), error.message);
  }
});

Deno.test("placeOutput() follows the user's own links, and takes pipes and devices as they are", async () => {
  using ws = scene();
  await new Deno.Command("mkfifo", { args: [ws.at("ws/pipe")] }).output();
  const cases: readonly (readonly [path: string, real: string, kind: string])[] = [
    ["ws/new.md", "ws/new.md", "missing"],
    ["ws/sub/a", "ws/sub/a", "file"],
    ["ws/sub/../new.md", "ws/new.md", "missing"],
    ["home/reports/new.md", "data/new.md", "missing"],
    ["home/reports/a", "data/a", "file"],
    ["home/into/new.md", "ws/new.md", "missing"],
    ["ws/pipe", "ws/pipe", "stream"],
    ["/dev/null", "/dev/null", "stream"],
    ["/dev/fd/63", "/dev/fd/63", "stream"],
  ];
  for (const [path, real, kind] of cases) {
    const placed = placeOutput(ws.at(path), rulesOf(ws));
    assertEquals([placed.real, placed.kind], [ws.at(real), kind]);
  }
  const loop = assertThrows(() => placeOutput(ws.at("data/loop"), rulesOf(ws)), ToolError);
  assertEquals(loop.code, "invalid_input");
});

Deno.test("placeOutput() follows no link at all where a run may write everything, or everybody may write", () => {
  using ws = scene();
  const path = ws.at("home/reports/a");
  assertThrows(() => placeOutput(path, rulesOf(ws, true)), ToolError, "is a link to");
  Deno.chmodSync(ws.at("home"), 0o777);
  assertThrows(() => placeOutput(path, rulesOf(ws)), ToolError, "is a link to");
  // The system's own links are in the root.
  assertEquals(placeOutput("/bin/x", rulesOf(ws, true)).real, `${Deno.realPathSync("/bin")}/x`);
});

Deno.test("placeOutput() follows no link of the repository around the workspace, whatever calls can write", () => {
  using ws = scene();
  Deno.mkdirSync(ws.at("home/.git"));
  Deno.mkdirSync(ws.at("home/package"));
  const rules = { calls: [], workspace: ws.at("home/package") };
  assertThrows(() => placeOutput(ws.at("home/reports/a"), rules), ToolError, "is a link to");
  assertEquals(placeOutput(ws.at("granted/x"), rules).real, ws.at("home/.bashrc"));
});

Deno.test("holdOutput() writes over a file in a closed folder, but not over one with a second name", async () => {
  using ws = workspace({ "a": "old", "b": "old" });
  Deno.linkSync(ws.at("b"), ws.at("other"));
  const { renameSync } = Deno;
  // As in a folder that is a mount, or belongs to somebody else.
  Deno.renameSync = () => {
    throw new Deno.errors.PermissionDenied("closed");
  };
  try {
    using one = holdOutput(placed(ws.at("a")));
    await one.write(bytes("new"));
    using two = holdOutput(placed(ws.at("b")));
    const { code } = await assertRejects(() => two.write(bytes("new")), ToolError);
    assertEquals([code, ws.read("a"), ws.read("b"), ws.read("other")], ["conflict", "new", "old", "old"]);
  } finally {
    Deno.renameSync = renameSync;
  }
});

Deno.test("placeOutput() refuses a link of the workspace though no call can write, and a name with NUL", () => {
  using ws = scene();
  const refusal = (path: string) => assertThrows(() => placeOutput(path, rulesOf(ws, [])), ToolError).code;
  assertEquals(refusal(ws.at("ws/review.md")), "permission_denied");
  assertEquals(refusal(`${ws.at("ws")}/a\0b`), "invalid_input");
  assertEquals(placeOutput(ws.at("granted/x"), rulesOf(ws, [])).real, ws.at("home/.bashrc"));
});
