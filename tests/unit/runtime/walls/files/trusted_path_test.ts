import { assertEquals } from "@std/assert";

import { trustedPath, trustedPrograms } from "../../../../../runtime/walls/files/trusted_path.ts";
import { chooseBox } from "../../../../../runtime/walls/box/choose_box.ts";
import { hiddenOwn, stateFolder } from "../../../../../runtime/state/state_folder.ts";
import { workspace } from "../../../../support/run_tool.ts";

Deno.test("trustedPath() leaves out what lies in the workspace, may be written, or starts nowhere", () => {
  using ws = workspace({ "node_modules/.bin/x": "" });
  Deno.symlinkSync(ws.at("node_modules/.bin"), ws.at("link"));
  const allow = { read: [], write: ["/opt/made"], net: [], run: [] };
  const path = ["", ".", "bin", ws.at("node_modules/.bin"), "/opt/made/bin", "/usr/bin", "/bin"].join(":");
  assertEquals(trustedPath(path, { workspace: ws.path, allow }), "/usr/bin:/bin");
  const elsewhere = { workspace: ws.at("node_modules"), allow };
  assertEquals(trustedPath(`${ws.at("link")}:/usr/bin`, elsewhere), "/usr/bin");
});

Deno.test("hiddenOwn() is there before a program could make it", () => {
  using home = workspace({});
  const allow = { read: [home.path], write: [home.path], net: [], run: [] };
  const state = stateFolder(undefined, home.path)!;
  assertEquals(hiddenOwn({ allow, own: [] }, [state]), [home.at(".local/state/bulkhead")]);
  assertEquals(Deno.statSync(state).isDirectory, true);
  using other = workspace({});
  const far = stateFolder(other.at("x"), home.path)!;
  assertEquals(hiddenOwn({ allow, own: [] }, [far]), [other.at("x/bulkhead")]);
  assertEquals([...Deno.readDirSync(other.path)], []);
  assertEquals([stateFolder("relative", ""), hiddenOwn({ allow, own: [] }, [null])], [null, []]);
});

Deno.test("chooseBox() says why it takes no bubblewrap that is there", async () => {
  using ws = workspace({ "bin/bwrap": "" });
  Deno.chmodSync(ws.at("bin/bwrap"), 0o755);
  const grants = { workspace: ws.path, allow: { write: [] } };
  const reasonOf = async (searchPath: string) => {
    const programs = trustedPrograms(searchPath, grants);
    const state = await chooseBox({ mode: "auto", searchPath, programs }).state();
    return state.works ? "" : state.reason;
  };
  assertEquals(
    await reasonOf(ws.at("bin")),
    `${ws.at("bin/bwrap")} is not used to make one, because calls can write there`,
  );
  assertEquals(await reasonOf(ws.at("none")), "bubblewrap (bwrap) is not installed");
});

Deno.test("trustedPrograms() finds no program that calls, or everybody, could have put there, and says why", () => {
  using ws = workspace();
  for (const folder of ["ws/bin", "made/bin", "open", "own", "above/own"]) {
    Deno.mkdirSync(ws.at(folder), { recursive: true });
    Deno.writeTextFileSync(ws.at(`${folder}/tool`), "", { mode: 0o755 });
  }
  Deno.mkdirSync(ws.at("links"));
  Deno.symlinkSync("../ws/bin/tool", ws.at("links/tool"));
  Deno.chmodSync(ws.at("open"), 0o1777);
  Deno.chmodSync(ws.at("above"), 0o777);
  const passed = [
    ["ws/bin", "calls can write there"],
    ["made/bin", "calls can write there"],
    ["links", `it leads to ${ws.at("ws/bin/tool")}, and calls can write there`],
    ["open", "everybody can write there"],
    ["above/own", "everybody can write there"],
  ] as const;
  const searchPath = ["bin", ...passed.map(([folder]) => ws.at(folder)), ws.at("own")].join(":");
  const grants = { workspace: ws.at("ws"), allow: { write: [ws.at("made")] } };
  const programs = trustedPrograms(searchPath, grants);
  assertEquals(programs.find("tool"), ws.at("own/tool"));
  assertEquals(
    programs.passedOver("tool"),
    passed.map(([folder, why]) => ({ path: ws.at(`${folder}/tool`), why })),
  );
  assertEquals([programs.find("none"), programs.passedOver("none")], [null, []]);
  // A run that may write everything takes what the system has.
  const all = trustedPrograms(`${ws.at("own")}:/usr/bin:/bin`, { workspace: null, allow: { write: true } });
  assertEquals([all.find("tool"), all.find("sh")?.endsWith("/sh")], [null, true]);
});
