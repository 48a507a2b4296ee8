import { assertEquals, assertMatch } from "@std/assert";
import { fromFileUrl, join } from "@std/path";

import { createHash } from "node:crypto";
import config from "../../../deno.json" with { type: "json" };
import type { Manifest } from "../../../schemas/manifest.ts";
import manifest from "../../../tools/manifest.json" with { type: "json" };
import { packageJson, packageOf, platformJson } from "../../../scripts/package/package_json.ts";
import { makeRelease } from "../../../scripts/release/make_release.ts";
import { makeLock } from "../../../schemas/json/lock.ts";
import { TARGETS } from "../../../scripts/release/targets.ts";
import { onceTest } from "../../support/box.ts";
import { denoDir } from "../../support/deno_dir.ts";
import { program } from "../../support/program.ts";
import { servePackages } from "../../support/servers/package_registry.ts";

const ROOT = fromFileUrl(new URL("../../..", import.meta.url));

const VAT = `
import { defineTool, ToolError } from "bulkhead";

export default defineTool({
  name: "vat",
  description: "Return the price in cents with VAT.",
  needs: { read: "workspace" },
  async run(_, { files, modelName }) {
    if (modelName !== null) throw new ToolError("invalid_input", "no model was expected");
    return (await files.locate("a.txt", "read")).info?.size ?? 0;
  },
});
`;

const ON_DENO = `
import { availableToolSchemas, createRunner, defineTool, Toolbox } from "bulkhead";
import { serveMcp } from "bulkhead/mcp";
import { EXIT_CODES, type ToolResult } from "bulkhead/schemas";

const add = defineTool({ name: "add", description: "Add.", run: () => 3 });
await using runner = createRunner({ workspace: Deno.cwd(), here: [add], toolFiles: ["vat.ts"], config: false });
const said: unknown[] = [];
for (const name of ["Read", "add", "own/vat", "Grep"]) {
  const { ok, result, error }: ToolResult = await runner.call(name, { path: "a.txt", pattern: "el" });
  said.push(error ?? (typeof result === "number" ? result : ok));
}
said.push(EXIT_CODES.not_found, availableToolSchemas(["Read"]).length, typeof serveMcp, typeof Toolbox);
console.log(JSON.stringify(said));
`;

const ON_NODE = `
import { createRunner, defineTool, EXIT_CODES, ToolError } from "bulkhead";
import { POLICY_NAMES } from "bulkhead/schemas";

const said = [];
const fail = (error) => said.push(error instanceof ToolError ? error.code : error.code ?? String(error));
const open = (options) => createRunner({ workspace: process.cwd(), ...options });
const runner = open({ policy: "read-only", toolFiles: ["vat.ts"] });
const results = await Promise.all([
  runner.call("Read", { path: "a.txt" }),
  runner.call("own/vat", {}),
  runner.call("Write", { path: "b.txt", content: "" }),
  runner.call("Nope", {}),
]);
for (const { ok, result, error } of results) said.push(error?.code ?? (typeof result === "number" ? result : ok));
const schemas = await runner.toolSchemas(["Read", "par/bash=shell"], "anthropic");
said.push(schemas.map(({ name }) => name).join());
said.push((await runner.tools()).some(({ name }) => name === "own/vat"));
await runner.close();
await runner.call("Read", {}).catch(fail);
const odd = open({ policy: "nope" });
await odd.call("Read", {}).catch(fail);
await odd.close();
const gone = open({ program: "/nowhere/bulkhead" });
await gone.call("Read", {}).catch(fail);
await gone.close();
await import("bulkhead/mcp").catch(fail);
said.push(typeof defineTool, POLICY_NAMES.length, EXIT_CODES.timeout);
console.log(JSON.stringify(said));
`;

onceTest("the package works on Deno and on Node, in a folder with nothing else", [
  "node",
  "npm",
  "tar",
  "gzip",
], async () => {
  const home = Deno.realPathSync(await Deno.makeTempDir({ prefix: "bulkhead-package-" }));
  const folder = join(home, "project");
  const env = {
    HOME: home,
    DENO_DIR: join(home, "deno"),
    XDG_STATE_HOME: join(home, "state"),
    XDG_CACHE_HOME: join(home, "cache"),
    npm_config_registry: "",
    npm_config_update_notifier: "false",
    npm_config_cache: join(home, "npm"),
    NO_COLOR: "1",
    BULKHEAD_BIN: "",
  };
  const run = async ([name, ...args]: readonly [string, ...string[]], cwd = folder) => {
    const { code, stdout, stderr } = await new Deno.Command(name, { args, cwd, env }).output();
    const text = new TextDecoder();
    return { code, stdout: text.decode(stdout), stderr: text.decode(stderr) };
  };
  try {
    await Deno.mkdir(folder);
    const files = {
      "package.json": '{"type":"module"}',
      "a.txt": "hello\n",
      "vat.ts": VAT,
      "on_deno.ts": ON_DENO,
      "on_node.js": ON_NODE,
    };
    for (const [name, text] of Object.entries(files)) await Deno.writeTextFile(join(folder, name), text);
    const wrapper = join(home, "bulkhead");
    const words = program().map((word) => `'${word}'`).join(" ");
    const script = `#!/bin/sh\nunset INIT_CWD\nDENO_DIR='${denoDir()}' exec ${words} "$@"\n`;
    await Deno.writeTextFile(wrapper, script, { mode: 0o755 });
    const system = TARGETS.find(({ triple }) => triple === Deno.build.target)!;
    const release = join(home, "release");
    await Deno.mkdir(release);
    await makeRelease({
      ...{ root: ROOT, config, folder: release, url: "https://get.example/bulkhead", missing: ["win32-x64"] },
      manifest: manifest as unknown as Manifest,
      binaries: [{ target: system, path: wrapper }],
      origin: { commit: null, runtime: { deno: "2.6.10", v8: "14.5" }, bundler: "2.9.6", packages: [] },
    });
    checkRelease(release, system.name);
    const names = [packageOf(system)];
    const archive = join(release, `bulkhead-${config.version}.tgz`);
    const ofSystem = join(release, `bulkhead-${system.name}-${config.version}.tgz`);
    await using registry = servePackages([
      { manifest: packageJson(config, names), archive },
      { manifest: platformJson(config, system), archive: ofSystem },
    ]);
    env.npm_config_registry = registry.url;
    const installed = await run(["npm", "install", "--no-audit", "--no-fund", "bulkhead"]);
    // What else npm says is its own, such as warnings about its settings.
    assertEquals(installed.code, 0, installed.stderr);

    const checked = await run([Deno.execPath(), "check", "--quiet", "on_deno.ts", "vat.ts"]);
    assertEquals([checked.code, checked.stderr], [0, ""]);
    const onDeno = await run([
      ...[Deno.execPath(), "run", "--quiet", "--no-prompt", "--unstable-worker-options"] as const,
      ...["--allow-read", "--allow-write", "--allow-net", "--allow-run", "--allow-env", "--allow-sys"],
      "on_deno.ts",
    ]);
    assertEquals([onDeno.stderr, onDeno.code], ["", 0]);
    assertEquals(JSON.parse(onDeno.stdout), [true, 3, 6, true, 1, 1, "function", "function"]);

    const onNode = await run(["node", "on_node.js"]);
    assertEquals([onNode.stderr, onNode.code], ["", 0]);
    const failures = ["cancelled", "invalid_input", "configuration", "ERR_PACKAGE_PATH_NOT_EXPORTED"];
    const calls = [true, 6, "permission_denied", "invalid_input", "Read,shell", true];
    assertEquals(JSON.parse(onNode.stdout), [...calls, ...failures, "function", 3, 124]);
    assertMatch(installed.stdout, /added 2 packages/);

    const empty = join(home, "empty");
    await Deno.mkdir(empty);
    const shown = await run(["npx", "--yes", "bulkhead", "demo"], empty);
    assertEquals([shown.code, [...Deno.readDirSync(empty)]], [0, []], shown.stderr);
    assertMatch(shown.stdout, /bulkhead/);
    const failed = await run(["npx", "--yes", "bulkhead", "call", "Nope"], empty);
    assertEquals(failed.code, 2);
  } finally {
    await Deno.remove(home, { recursive: true });
  }
});

/** Checks that the files of a release are those that it names, with their sums. */
function checkRelease(folder: string, system: string): void {
  const read = (name: string) => Deno.readTextFileSync(join(folder, name));
  const { version } = config;
  const named = [
    ...[`${version}-${system}.tar.gz`, `${version}.cdx.json`, `${version}.intoto.json`, `${version}.tgz`],
    `${system}-${version}.tgz`,
  ].map((name) => `bulkhead-${name}`).concat("install.sh", "release.json", "tools.lock.json");
  const sums = read("SHA256SUMS").trim().split("\n").map((line) => line.split("  "));
  assertEquals(sums.map(([, name]) => name), named);
  assertEquals([...Deno.readDirSync(folder)].length, named.length + 1);
  for (const [sum, name = ""] of sums) {
    assertEquals(createHash("sha256").update(Deno.readFileSync(join(folder, name))).digest("hex"), sum, name);
  }
  const index = JSON.parse(read("release.json"));
  assertEquals([index.name, index.version], ["bulkhead", version]);
  assertEquals([index.targets, index.missing], [[system], ["win32-x64"]]);
  const { subject } = JSON.parse(read(`bulkhead-${version}.intoto.json`));
  const sumOf = (wanted: string) => sums.find(([, name]) => name === wanted)?.[0];
  for (const { name, digest } of subject) assertEquals(digest.sha256, sumOf(name), name);
  assertMatch(read("install.sh"), /BULKHEAD_RELEASE_URL:-https:\/\/get\.example\/bulkhead\}/);
  assertEquals(JSON.parse(read("tools.lock.json")).release, version);
}

Deno.test("a release that cannot be made whole, or as it is called, is an error and leaves nothing", async () => {
  const home = await Deno.makeTempDir({ prefix: "bulkhead-release-" });
  const release = async (...words: string[]) => {
    const { code, stderr } = await new Deno.Command(Deno.execPath(), {
      args: [
        ...["run", "--quiet", "--allow-read", "--allow-write", "--allow-run", "--allow-env"],
        ...[join(ROOT, "scripts/release.ts"), "--output", join(home, "out"), ...words],
      ],
      env: { NO_COLOR: "1" },
    }).output();
    return { code, told: new TextDecoder().decode(stderr) };
  };
  try {
    const other = TARGETS.find(({ os, triple }) => os === "linux" && triple !== Deno.build.target)!.name;
    const wrong = await release("--target", other, "--binary", `${other}=/bin/sh`);
    assertEquals(wrong.code, 1);
    const fault = `Not all binaries could be made:\n  ${other}: the file is a program for linux-`;
    assertEquals(wrong.told.slice(0, fault.length), fault);
    const { tools } = manifest as unknown as Manifest;
    const { input_schema, ...first } = tools[0]!;
    const changed = { ...first, input_schema: { ...input_schema, required: ["none"] } };
    const before = makeLock([changed, ...tools.slice(1)]);
    const lock = join(home, "tools.lock.json");
    await Deno.writeTextFile(lock, JSON.stringify({ release: config.version, ...before }));
    const small = await release("--previous", lock);
    assertEquals(small.code, 1);
    assertMatch(small.told, /^Version \S+ is too small after .*\n {2}\w+\/\w+/);
    const odd = await release("--runtime", "linux-x64");
    assertEquals(odd, { code: 1, told: 'Cannot use "linux-x64": write it as NAME=PATH\n' });
    assertEquals([...Deno.readDirSync(home)].map(({ name }) => name), ["tools.lock.json"]);
  } finally {
    await Deno.remove(home, { recursive: true });
  }
});
