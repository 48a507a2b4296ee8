import { assert, assertEquals, assertStringIncludes } from "@std/assert";

import runCommand from "../../../../tools/sgr/run_command_tool.ts";
import { type RunOptions, workspace } from "../../../support/run_tool.ts";

const call = (command: string) => ({ reasoning: "to see", command });
const SECTION = "SGR__TOOLS__RUN_COMMAND_TOOL__";

Deno.test("run_command_tool words a result as its document does, without empty parts", async () => {
  await using ws = workspace({ "a.txt": "text" });
  const { text, result } = await ws.run(runCommand, call("cat a.txt | tr a-z A-Z; echo no >&2; exit 3"));
  assertEquals(result, { stdout: "TEXT", stderr: "no", return_code: 3 });
  assertEquals(text, "stdout:\nTEXT\n\nstderr:\nno\n\nreturn_code: 3");
  assertEquals((await ws.run(runCommand, call("true"))).text, "return_code: 0");
  for (const command of ["", " \n", "a\0b"]) {
    assertEquals(
      (await ws.run(runCommand, call(command))).error?.code,
      "invalid_input",
      JSON.stringify(command),
    );
  }
});

Deno.test("run_command_tool ends a command whose time is up, and shows what it said", async () => {
  await using ws = workspace();
  const settings = { [`${SECTION}TIMEOUT_SECONDS`]: "1" };
  const { error, text } = await ws.run(runCommand, call("echo begun; exec sleep 60"), { settings });
  assertEquals(error?.code, "timeout");
  assertStringIncludes(text, "Error: Command timed out after 1 s");
  assertStringIncludes(text, "stdout:\nbegun");
});

Deno.test("run_command_tool starts in the folder of its settings", async () => {
  await using ws = workspace({ "sub/a.txt": "" });
  const at = (folder: string) => ({ settings: { [`${SECTION}WORKSPACE_PATH`]: folder } });
  assertEquals((await ws.run(runCommand, call("ls"), at("sub"))).result.stdout, "a.txt");
  assertEquals((await ws.run(runCommand, call("ls"), at("/etc"))).error?.code, "permission_denied");
  assertEquals((await ws.run(runCommand, call("ls"), at("none"))).error?.code, "configuration");
});

Deno.test("run_command_tool says that the mode unsafe opens nothing, and knows no other", async () => {
  await using ws = workspace();
  const mode = (value: string) => ({ settings: { [`${SECTION}MODE`]: value } });
  const { warnings } = await ws.run(runCommand, call("true"), mode("unsafe"));
  assertStringIncludes(warnings.join(), "MODE=unsafe opens nothing");
  assertEquals((await ws.run(runCommand, call("true"), mode("none"))).error?.code, "configuration");
});

const lists = (include: string, exclude = ""): RunOptions => ({
  settings: { [`${SECTION}INCLUDE_PATHS`]: include, [`${SECTION}EXCLUDE_PATHS`]: exclude },
});

Deno.test("run_command_tool starts only programs that are included, found in the included folders", async () => {
  await using ws = workspace({ "a b.txt": "text", "bin/ls": "#!/bin/sh\necho mine\n" });
  Deno.chmodSync(ws.at("bin/ls"), 0o755);
  const run = async (command: string, options: RunOptions) => {
    const { error, result } = await ws.run(runCommand, call(command), options);
    return error?.code ?? result.stdout;
  };
  assertEquals(await run("cat 'a b'.txt", lists('["/none","/usr/bin/"]')), "text");
  assertEquals(await run('cat "a b.txt"', lists("/usr/bin/cat")), "text");
  assertEquals(await run("/usr/bin/cat 'a b.txt'", lists("/usr/bin", "cat")), "text");
  for (const command of ["ls", "/bin/../usr/bin/ls", "bin/ls", "./bin/ls", "cat/../ls", "PATH=bin cat x"]) {
    const said = await run(command, lists("/usr/bin/cat"));
    assert(["permission_denied", "invalid_input"].includes(said), `${command}: ${said}`);
  }
  assertEquals(await run("/usr/binx/cat x", lists("/usr/bin")), "permission_denied");
});

Deno.test("run_command_tool leaves a shell nothing to do where programs are listed", async () => {
  await using ws = workspace({ "a.txt": "text" });
  const tricks = [
    "cat a.txt; id",
    "cat a.txt && id",
    "cat a.txt | id",
    "cat a.txt & id",
    "cat $(id)",
    "cat `id`",
    'cat "$(id)"',
    'cat "`id`"',
    "cat a.txt\nid",
    "cat <(id)",
    "cat > b.txt",
    "cat $HOME",
    "cat ~/x",
    "cat *",
    "cat {a,b}.txt",
    "cat a.txt # x",
    "c\\at a.txt",
    "cat 'a.txt",
    "(id)",
    "!id",
    "X=1 cat a.txt",
  ];
  for (const command of tricks) {
    const { error } = await ws.run(runCommand, call(command), lists("/usr/bin/cat"));
    assertEquals(error?.code, "invalid_input", command);
  }
  for (const command of ["curl x", "/usr/bin/curl x", "'curl' x", "cu'r'l x", "/opt/curl x"]) {
    const { error } = await ws.run(runCommand, call(command), lists("", "curl"));
    assertEquals(error?.code, "permission_denied", command);
  }
  assertEquals((await ws.run(runCommand, call("cat a.txt"), lists("", "curl"))).result.stdout, "text");
});
