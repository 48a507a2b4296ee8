import { assertEquals, assertStringIncludes } from "@std/assert";

import { projectSources } from "../../../../../runtime/sources/project/project_sources.ts";
import type { ProjectFile } from "../../../../../runtime/sources/source.ts";
import { hashOfPart, keepTrust } from "../../../../../runtime/state/trust/trust_store.ts";
import { workspace } from "../../../../support/run_tool.ts";

const FILE: ProjectFile = {
  ...{ folder: "/my shop", name: "bulkhead.json", kind: "settings", text: "{1}", adds: "" },
  toolFiles: ["/my shop/tools"],
};

Deno.test("a project adds what the user trusts, as long as it says what it said", async () => {
  using ws = workspace();
  const env = { XDG_STATE_HOME: ws.path };
  const trust = async (folder: string, parts: Record<string, string>) =>
    await keepTrust(ws.at("bulkhead"), { folder, since: "", parts });
  const added = async (file = FILE) => {
    const { files, leftOut } = await projectSources([file], { env });
    return [files.map(({ path }) => path), leftOut()];
  };
  const ask = (what: string) =>
    `the project adds tools by "bulkhead.json"${what}, which you have not trusted, so they are left out; ` +
    "to look at them and decide: bulkhead trust '/my shop'";
  assertEquals(await added(), [[], ask("")]);
  await trust("/my shop", { "bulkhead.json": await hashOfPart("{1}") });
  assertEquals(await added(), [["/my shop/tools"], null]);
  assertEquals(await added({ ...FILE, text: "{2}" }), [[], ask(" (it has changed)")]);
  assertEquals((await added({ ...FILE, folder: "/other" }))[0], []);
  assertEquals((await added({ ...FILE, name: ".bulkhead/config.json" }))[0], []);
  assertEquals((await added({ ...FILE, name: "constructor" }))[0], []);
});

Deno.test("the servers of a project are those of the text that the user trusts", async () => {
  using ws = workspace();
  const file: ProjectFile = {
    ...{ folder: "/shop", name: ".mcp.json", kind: "servers", text: "{}", toolFiles: [], adds: "" },
  };
  const env = { XDG_STATE_HOME: ws.path };
  assertEquals((await projectSources([file], { env })).mcp, []);
  const parts = { ".mcp.json": await hashOfPart("{}") };
  await keepTrust(ws.at("bulkhead"), { folder: "/shop", since: "", parts });
  assertEquals((await projectSources([file], { env })).mcp, [{ file: "/shop/.mcp.json", text: "{}" }]);
  assertEquals((await projectSources([{ ...file, text: "{ }" }], { env })).mcp, []);
});

Deno.test("without a place for what is trusted, nothing is", async () => {
  const { files, leftOut } = await projectSources([FILE], { env: {} });
  assertEquals(files, []);
  assertStringIncludes(leftOut() ?? "", "bulkhead trust");
});
