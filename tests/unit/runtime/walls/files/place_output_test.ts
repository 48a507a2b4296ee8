import { assert, assertEquals, assertThrows } from "@std/assert";

import { ToolError } from "../../../../../schemas/error.ts";
import { type OutputRules, placeOutput } from "../../../../../runtime/walls/files/place_output.ts";
import { workspace } from "../../../../support/run_tool.ts";

type Scene = ReturnType<typeof workspace>;

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
    assertEquals([error.code, error.details.link, error.details.real], [
      "permission_denied",
      ws.at(link),
      ws.at(real),
    ]);
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

Deno.test("placeOutput() refuses a link of the workspace though no call can write, and a name with NUL", () => {
  using ws = scene();
  const refusal = (path: string) => assertThrows(() => placeOutput(path, rulesOf(ws, [])), ToolError).code;
  assertEquals(refusal(ws.at("ws/review.md")), "permission_denied");
  assertEquals(refusal(`${ws.at("ws")}/a\0b`), "invalid_input");
  assertEquals(placeOutput(ws.at("granted/x"), rulesOf(ws, [])).real, ws.at("home/.bashrc"));
});
