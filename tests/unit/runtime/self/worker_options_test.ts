import { assertEquals } from "@std/assert";
import { toFileUrl } from "@std/path";

import { mayMakeWorkers, requireWorkerOptions } from "../../../../runtime/self/worker_options.ts";
import { workspace } from "../../../support/run_tool.ts";

const DENO = ["/usr/bin/deno", "run", "--allow-read"];
const UNSTABLE = '{"unstable": ["raw-imports", "worker-options"]}';

Deno.test("mayMakeWorkers() finds the flag, or the configuration that has it", () => {
  using ws = workspace({
    "plain/app.ts": "",
    "plain/deno.json": "{}",
    "nearest/deno.jsonc": `// notes\n${UNSTABLE}`,
    "nearest/app/main.ts": "",
    "root/deno.json": `{"workspace": ["./app"], "unstable": ["worker-options"]}`,
    "root/app/deno.json": "{}",
    "member/deno.json": `{"workspace": ["./app"]}`,
    "member/app/deno.json": UNSTABLE,
    "named.json": UNSTABLE,
  });
  const main = (path: string) => toFileUrl(ws.at(path)).href;
  const table: readonly (readonly [words: string[], path: string, allowed: boolean])[] = [
    [[], "plain/app.ts", false],
    [[...DENO, "--unstable-worker-options"], "plain/app.ts", true],
    [[...DENO, "--config", ws.at("named.json")], "plain/app.ts", true],
    [[...DENO, `--config=${ws.at("plain/deno.json")}`], "nearest/app/main.ts", false],
    [DENO, "nearest/app/main.ts", true],
    [[...DENO, "--no-config"], "nearest/app/main.ts", false],
    [DENO, "root/app/main.ts", true],
    // Deno heeds the root of a workspace alone.
    [DENO, "member/app/main.ts", false],
  ];
  for (const [words, path, allowed] of table) {
    assertEquals(mayMakeWorkers(words, main(path)), allowed, `${words.join(" ")} ${path}`);
  }
});

Deno.test("requireWorkerOptions() throws in a program without the flag, before Deno would end it", async () => {
  using ws = workspace();
  const at = (path: string) => JSON.stringify(new URL(path, import.meta.url).href);
  Deno.writeTextFileSync(
    ws.at("app.ts"),
    `import { requireWorkerOptions } from ${at("../../../../runtime/self/worker_options.ts")};
     try { requireWorkerOptions(); console.log("fine"); } catch (error) { console.log(error.code, error.message); }`,
  );
  const imports = new URL("../../../../deno.json", import.meta.url);
  const { "@std/path": path } = JSON.parse(Deno.readTextFileSync(imports)).imports;
  Deno.writeTextFileSync(ws.at("map.json"), JSON.stringify({ imports: { "@std/path": path } }));
  const run = async (...flags: string[]) => {
    const args = [
      "run",
      "-q",
      "--no-lock",
      "--no-config",
      "--allow-all",
      `--import-map=${ws.at("map.json")}`,
    ];
    const { stdout } = await new Deno.Command(Deno.execPath(), { args: [...args, ...flags, ws.at("app.ts")] })
      .output();
    return new TextDecoder().decode(stdout);
  };
  const told = await run();
  assertEquals(told.startsWith("configuration ") && told.includes("--unstable-worker-options"), true, told);
  assertEquals(await run("--unstable-worker-options"), "fine\n");
  requireWorkerOptions();
});
