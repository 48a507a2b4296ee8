import { assertEquals, assertNotEquals } from "@std/assert";

import { startedFiles } from "../../../../../runtime/sources/mcp/started/started_files.ts";
import { startedPrint } from "../../../../../runtime/sources/mcp/started/started_print.ts";
import { freezeFiles } from "../../../../../runtime/walls/grants/freeze_files.ts";
import { makeGrants } from "../../../../../runtime/walls/grants/make_grants.ts";
import { refusePath } from "../../../../../runtime/walls/grants/path_access.ts";
import { programFiles } from "../../../../../runtime/programs/box/program_view.ts";
import { workspace } from "../../../../support/run_tool.ts";

Deno.test("startedFiles() says when there are more files than it follows", () => {
  const isWhole = (count: number) => {
    const chain = Array.from(
      { length: count },
      (_, at) => [`f${at}.mjs`, at + 1 < count ? `import "./f${at + 1}.mjs"` : ""],
    );
    using ws = workspace(Object.fromEntries(chain));
    return startedFiles({ command: "node", args: ["f0.mjs"], env: {}, cwd: ws.path }, ws.path).isWhole;
  };
  assertEquals([isWhole(10), isWhole(510)], [true, false]);
});

Deno.test("startedFiles() finds what a command names, and what that imports in turn", () => {
  using ws = workspace({
    "server.js": 'import x from "./lib/a"; export * from "./lib/b.mjs"; import "left-pad"; import "#own";',
    "lib/a.ts": 'const c = require("../c");',
    ...{ "lib/b.mjs": "", "c/index.js": "", "c/unused.js": "", "package.json": "{}", "notes.txt": "" },
    ...{
      "node_modules/left-pad/index.js": "",
      "srv/__main__.py": "from srv import one, two\nimport tools.x\n",
    },
    ...{ "srv/__init__.py": "", "srv/one.py": "", "srv/two.py": "", "tools/x.py": "", "tools/y.py": "" },
    ...{ "run.sh": '. "$(dirname "$0")/lib/part.sh"; exec ./bin/tool', "lib/part.sh": "", "data.db": "" },
    "pre.mjs": "",
  });
  const of = (words: string, env = {}) => {
    const [command = "", ...args] = words.split(" ");
    const { files, packages } = startedFiles({ command, args, env, cwd: ws.path }, ws.path);
    return [...files, ...packages].map((path) => path.slice(ws.path.length + 1)).join(" ");
  };
  const server = "c/index.js lib/a.ts lib/b.mjs package.json server.js node_modules";
  assertEquals(of("node server.js notes.txt data.db"), server);
  assertEquals(
    of("node --require=./pre.mjs server.js"),
    server.replace(" server.js", " pre.mjs server.js"),
  );
  const python = "srv/__init__.py srv/__main__.py srv/one.py srv/two.py tools/x.py";
  assertEquals([of("python3 -m srv"), of("python3 -msrv")], [
    `${python} node_modules`,
    `${python} node_modules`,
  ]);
  assertEquals(of("bash ./run.sh"), "lib/part.sh run.sh node_modules");
  assertEquals(of("env -S node_modules/x ./run.sh"), "lib/part.sh run.sh node_modules");
  assertEquals(of("npm run start"), "package.json node_modules");
  assertEquals(of("node ../beside.js", { NODE_OPTIONS: "--import=./pre.mjs" }), "pre.mjs node_modules");
  assertEquals(of("uvx some-server --db data.db"), "");
});

Deno.test("startedPrint() differs once a file, or one in its way, is another one", async () => {
  using ws = workspace({ "run.py": "import json", "other.py": "" });
  const print = async () =>
    (await startedPrint({ command: "python3", args: ["run.py"], env: {}, cwd: ws.path }, ws.path)).print;
  const before = await print();
  Deno.writeTextFileSync(`${ws.path}/other.py`, "1");
  assertEquals(await print(), before);
  Deno.writeTextFileSync(`${ws.path}/json.py`, "evil");
  const shadowed = await print();
  assertNotEquals(shadowed, before);
  Deno.writeTextFileSync(`${ws.path}/json.py`, "more");
  assertNotEquals(await print(), shadowed);
});

Deno.test("freezeFiles() holds for what was made of the grants before", () => {
  const grants = makeGrants({}, { workspace: "/ws", cwd: "/ws", realPath: (path) => path });
  const files = programFiles(grants, "/home");
  assertEquals(refusePath("write", "/ws/a.js", files), null);
  freezeFiles(grants, ["/ws/a.js", "/ws/node_modules"]);
  for (const path of ["/ws/a.js", "/ws/node_modules/x"]) {
    assertEquals(refusePath("write", path, files)?.reason, "denied");
  }
  assertEquals(refusePath("read", "/ws/a.js", files), null);
});
