import { assertEquals, assertRejects } from "@std/assert";
import { join } from "@std/path";

import { ArtifactWriter } from "../../../../runtime/state/artifact_writer.ts";
import { makeArtifactFolder } from "../../../../runtime/state/artifact_folder.ts";
import { ToolError } from "../../../../schemas/error.ts";
import type { Artifact } from "../../../../schemas/result.ts";
import { workspace } from "../../../support/run_tool.ts";

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
  const error = await assertRejects(() => writer.write("one more.txt", bytes("")), ToolError);
  assertEquals([error.code, told.length], ["limit_exceeded", 1000]);
});
