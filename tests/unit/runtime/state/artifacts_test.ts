import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import { basename, join } from "@std/path";

import { makeArtifactFolder, runsOfWorkspace } from "../../../../runtime/state/artifact_folder.ts";
import { OwnedRuns, removeOldRuns } from "../../../../runtime/state/owned_runs.ts";
import { ArtifactWriter } from "../../../../runtime/state/artifact_writer.ts";
import { keepFiles } from "../../../../runtime/state/keep_files.ts";
import { listArtifacts, readArtifact } from "../../../../runtime/state/kept_artifacts.ts";
import type { Artifact } from "../../../../schemas/result.ts";
import { codeOf } from "../../../support/refusal.ts";
import { workspace } from "../../../support/run_tool.ts";
import { exists } from "../../../../runtime/walls/files/file_facts.ts";

Deno.test("makeArtifactFolder() makes a private folder with the first file, and numbers taken names", async () => {
  using root = workspace();
  const made: string[] = [];
  const path = join(root.path, "run");
  const onMade = (folder: string) => Promise.resolve(void made.push(folder));
  const artifacts = makeArtifactFolder(() => path, { onMade });
  assertEquals([artifacts.made, [...Deno.readDirSync(root.path)]], [null, []]);
  const names: string[] = [];
  for (let n = 0; n < 3; n++) {
    const { path, file } = await artifacts.open("stdout.txt");
    file.close();
    names.push(basename(path));
  }
  assertEquals(names, ["stdout.txt", "stdout-2.txt", "stdout-3.txt"]);
  assertEquals([artifacts.made, made], [path, [path]]);
  assertEquals(Deno.statSync(path).mode! & 0o777, 0o700);
  assertEquals(Deno.statSync(join(path, "stdout.txt")).mode! & 0o777, 0o600);
  assertEquals(basename(await artifacts.folder("aside")).startsWith("aside-"), true);
});

Deno.test("makeArtifactFolder() does not follow a link that takes a name", async () => {
  using root = workspace();
  const target = join(root.path, "target");
  Deno.writeTextFileSync(target, "kept");
  const artifacts = makeArtifactFolder(() => join(root.path, "run"));
  (await artifacts.open("a")).file.close();
  Deno.symlinkSync(target, join(root.path, "run", "b"));
  const { path, file } = await artifacts.open("b");
  file.writeSync(new TextEncoder().encode("new"));
  file.close();
  assertEquals([basename(path), Deno.readTextFileSync(target)], ["b-2", "kept"]);
});

Deno.test("makeArtifactFolder() makes one folder for files that are opened at once", async () => {
  using root = workspace();
  let asked = 0;
  const artifacts = makeArtifactFolder(() => join(root.path, `run-${++asked}`));
  const opened = await Promise.all(["stdout.txt", "stderr.txt"].map((name) => artifacts.open(name)));
  for (const { file } of opened) file.close();
  assertEquals([asked, [...Deno.readDirSync(root.path)].length], [1, 1]);
});

Deno.test("removeOldRuns() removes what is older, and nothing else", async () => {
  using root = workspace();
  const [old, recent] = [crypto.randomUUID(), crypto.randomUUID()];
  const past = new Date("2001-01-01");
  for (const name of [old, recent, "another's"]) {
    Deno.mkdirSync(join(root.path, name, "inside"), { recursive: true });
    if (name !== recent) Deno.utimeSync(join(root.path, name), past, past);
  }
  Deno.mkdirSync(join(root.path, "owners"));
  await removeOldRuns(root.path, { olderThan: new Date("2002-01-01") });
  Deno.removeSync(join(root.path, "owners"));
  const left = Array.from(Deno.readDirSync(root.path), ({ name }) => name);
  assertEquals(left.sort(), [recent, "another's"].sort());
  await removeOldRuns(join(root.path, "absent"), { olderThan: past });
});

Deno.test("removeOldRuns() removes nothing that a run owns, however old it is", async () => {
  using root = workspace();
  const owned = new OwnedRuns(() => root.path);
  const past = new Date("2001-01-01");
  const paths = [owned.begin(), owned.begin(join(root.path, "of-1-2-3"))];
  for (const path of paths) {
    Deno.mkdirSync(path, { recursive: true });
    Deno.utimeSync(path, past, past);
  }
  const left = () => paths.filter((path) => exists(path)).length;
  const sweep = () => removeOldRuns(root.path, { olderThan: new Date("2002-01-01") });
  await Promise.all([sweep(), sweep()]);
  assertEquals(left(), 2);
  owned.end();
  await Promise.all([sweep(), sweep()]);
  assertEquals([left(), [...Deno.readDirSync(join(root.path, "owners"))].length], [0, 0]);
});

Deno.test("runs of one workspace share a folder, which file tools may read", async () => {
  using root = workspace();
  const [one, other] = [join(root.path, "one"), join(root.path, "other")];
  for (const path of [one, other]) Deno.mkdirSync(path);
  const runs = join(root.path, "runs");
  const shared = runsOfWorkspace(runs, one)!;
  assertEquals([runsOfWorkspace(runs, one), runsOfWorkspace(runs, other) === shared], [shared, false]);
  const artifacts = makeArtifactFolder(() => join(shared, crypto.randomUUID()), { shared: { found: null } });
  assertEquals(artifacts.readable, null);
  (await artifacts.open("a")).file.close();
  assertEquals(artifacts.readable, shared);
  Deno.utimeSync(artifacts.made!, new Date("2001-01-01"), new Date("2001-01-01"));
  Deno.mkdirSync(join(runs, "owners"));
  await removeOldRuns(runs, { olderThan: new Date("2002-01-01") });
  assertEquals([...Deno.readDirSync(shared)], []);
});

function writerIn(folder: string) {
  const told: Artifact[] = [];
  const artifacts = makeArtifactFolder(() => join(folder, "artifacts"));
  return { told, writer: new ArtifactWriter(artifacts, (artifact) => told.push(artifact)) };
}

const bytes = (text: string) => new TextEncoder().encode(text);

Deno.test("ArtifactWriter writes files side by side and tells of each", async () => {
  using ws = workspace();
  const { writer, told } = writerIn(ws.path);
  const first = await writer.write("page 1.png", bytes("one"));
  const second = await writer.write("page 1.png", bytes("second"));
  assertEquals([first.path, second.path], [ws.at("artifacts/page 1.png"), ws.at("artifacts/page 1-2.png")]);
  assertEquals([first, second].map(({ path }) => Deno.readTextFileSync(path)), ["one", "second"]);
  assertEquals(told, [first, second]);
  assertEquals(second, { name: "page 1.png", path: second.path, bytes: 6 });
});

Deno.test("ArtifactWriter writes no file again that is there with the same bytes", async () => {
  using ws = workspace();
  const { writer } = writerIn(ws.path);
  const paths: string[] = [];
  for (const text of ["one", "two", "one", "two", "six"]) {
    paths.push((await writer.write("page.png", bytes(text))).path);
  }
  const name = (part: string) => ws.at(`artifacts/page${part}.png`);
  assertEquals(paths, [name(""), name("-2"), name(""), name("-2"), name("-3")]);
  // A link is another file, wherever it leads.
  Deno.removeSync(name(""));
  Deno.symlinkSync(name("-2"), name(""));
  assertEquals((await writer.write("page.png", bytes("two"))).path, name("-2"));
});

Deno.test("ArtifactWriter takes names only, no paths", async () => {
  using ws = workspace();
  const { writer, told } = writerIn(ws.path);
  for (const name of ["", ".", "..", "../a", "a/b", "/a", ".hidden", "a\0b", "a\nb", "x".repeat(101)]) {
    await assertRejects(() => writer.write(name, bytes("x")), TypeError, "not a name for an artifact");
  }
  assertEquals([told, [...Deno.readDirSync(ws.path)]], [[], []]);
});

Deno.test("ArtifactWriter bounds the files of a call", async () => {
  using ws = workspace();
  const { writer, told } = writerIn(ws.path);
  for (let index = 0; index < 1000; index++) await writer.write(`${index}.txt`, bytes(""));
  assertEquals(await codeOf(() => writer.write("one more.txt", bytes(""))), "limit_exceeded");
  assertEquals(told.length, 1000);
});

const PICTURE = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0]);

Deno.test("listArtifacts() lists plain files with the types that their bytes show", async () => {
  using ws = workspace({
    "kept/a.png": PICTURE,
    "kept/lie.png": "<svg onload=alert(1)>",
    "kept/page.HTML": "<b>",
    "kept/out.txt": "text",
    "kept/raw": new Uint8Array([0, 1]),
    "kept/sub/inner": "x",
    "elsewhere/file": "s",
    secret: "s",
  });
  Deno.symlinkSync(ws.at("secret"), ws.at("kept/link"));
  Deno.symlinkSync(ws.at("elsewhere"), ws.at("kept/sub/folder"));
  Deno.linkSync(ws.at("secret"), ws.at("kept/hard"));
  assertEquals(await listArtifacts(ws.at("kept")), [
    { name: "a.png", type: "image/png", bytes: 9 },
    { name: "lie.png", type: "text/plain", bytes: 21 },
    { name: "out.txt", type: "text/plain", bytes: 4 },
    { name: "page.HTML", type: "text/html", bytes: 3 },
    { name: "raw", type: "application/octet-stream", bytes: 2 },
    { name: "sub/inner", type: "text/plain", bytes: 1 },
  ]);
  assertEquals(await listArtifacts(ws.at("nothing")), []);
});

Deno.test("readArtifact() gives no file from elsewhere", async () => {
  using ws = workspace({ "kept/a.txt": "text", "kept/sub/inner": "x", "other/file": "o", secret: "s" });
  Deno.symlinkSync(ws.at("other"), ws.at("kept/sub/out"));
  Deno.symlinkSync(ws.at("secret"), ws.at("kept/link"));
  Deno.linkSync(ws.at("secret"), ws.at("kept/hard"));
  Deno.symlinkSync(ws.at("kept"), ws.at("linked"));
  const folder = ws.at("kept");
  const found = await readArtifact(folder, "a.txt", { maxBytes: 4 });
  assertEquals([new TextDecoder().decode(found.bytes), found.type], ["text", "text/plain"]);
  const names = [
    ...["", ".", "..", "../secret", "sub/../../secret", "sub/../a.txt", "sub//inner", "sub/out/file", "sub"],
    ...["link", "hard", "no", "a.txt\0", ws.at("secret"), "a.txt/", "./a.txt", "a".repeat(300)],
  ];
  for (const name of names) {
    assertEquals(await codeOf(() => readArtifact(folder, name, { maxBytes: 9 })), "not_found", name);
  }
  assertEquals((await readArtifact(folder, "sub/inner", { maxBytes: 4 })).bytes.length, 1);
  assertEquals(await codeOf(() => readArtifact(folder, "a.txt", { maxBytes: 3 })), "limit_exceeded");
});

Deno.test("keepFiles() keeps sounds, and documents that are no text, under names for people", async () => {
  using ws = workspace();
  const folder = makeArtifactFolder(() => ws.path);
  const { files, lost } = await keepFiles({
    audio: [{ mime_type: "audio/wav", data: "UklG" }],
    resources: [
      { uri: "note://1", mime_type: "text/plain", text: "a text" },
      { uri: "file:///etc/../a b.old.pdf?x=/../y#z", mime_type: "application/pdf", data: "AAEC" },
      { uri: "x:/", mime_type: "text/../../etc", data: "" },
    ],
  }, { name: "tool/one", folder });
  assertEquals(lost, []);
  assertEquals(files.map(({ path, bytes }) => [basename(path), bytes]), [
    ["tool_one.wav", 3],
    ["a_b_old.pdf", 3],
    ["tool_one.bin", 0],
  ]);
  assertEquals(Deno.readFileSync(files[1]!.path), new Uint8Array([0, 1, 2]));
});

Deno.test("keepFiles() tells what could not be kept", async () => {
  const folder = makeArtifactFolder(() => "/dev/null/nowhere");
  const { files, lost } = await keepFiles({
    audio: [{ mime_type: "audio/wav", data: "UklG" }],
    resources: [],
  }, { name: "tool", folder });
  assertEquals(files, []);
  assertMatch(lost.join(), /^a sound of the result is left out: /);
});
