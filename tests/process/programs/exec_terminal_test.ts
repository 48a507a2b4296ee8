import { assert, assertEquals, assertMatch } from "@std/assert";

import { hasProgram } from "../../support/needed_programs.ts";
import { program } from "../../support/program.ts";
import { programScene } from "../../support/program_scene.ts";
import { denoDir } from "../../support/deno_dir.ts";
import { ANYWHERE, PLACES } from "../../support/cli/terminal.ts";

const waitMs = 30_000;
const hasTerminals = Deno.build.os === "linux" && hasProgram("script");

/** Starts `exec` on a terminal, as a person does; the first line tells the terminal. */
async function atTerminal(scene: ReturnType<typeof programScene>, words: readonly string[], redirect = "") {
  const { host, call, path } = scene;
  const argv = [
    "sh",
    "-c",
    `tty; "$@" ${redirect}; echo "ended $?"; stty -a`,
    "sh",
    ...program(),
    "exec",
    ...words,
  ];
  const env = {
    HOME: Deno.env.get("HOME") ?? "/",
    PATH: Deno.env.get("PATH") ?? "",
    INIT_CWD: path,
    TERM: "xterm",
    DENO_DIR: denoDir(),
  };
  const { id } = await host.open({ argv, env, terminal: { rows: 33, cols: 99 } }, call());
  const see = async (until: string): Promise<string> => {
    const { stdout, found } = await host.read(id, { waitMs, until }, call());
    assert(found, `${JSON.stringify(until)} did not come, but ${JSON.stringify(stdout.text)}`);
    return stdout.text;
  };
  const tty = (await see("\n")).trim();
  return {
    see,
    type: (data: string) => host.write(id, data, call()),
    async resize(rows: number, cols: number) {
      await new Deno.Command("stty", { args: ["-F", tty, "rows", String(rows), "cols", String(cols)] })
        .output();
    },
  };
}

for (const [place, flags] of Object.entries(PLACES)) {
  const run = (name: string, fn: (scene: ReturnType<typeof programScene>) => Promise<void>) =>
    Deno.test({
      name: `exec on a terminal ${name}, ${place}`,
      ignore: !hasTerminals,
      async fn() {
        await using scene = programScene({ boxed: false });
        await fn(scene);
      },
    });

  run("gives its program one, of the same size, that follows it", async (scene) => {
    const script = "test -t 0 && test -t 1 && test -t 2 && echo all; trap 'stty size' WINCH; stty size; " +
      'while read -r line || :; do [ "$line" = end ] && exit 6; done';
    const person = await atTerminal(scene, ["-q", ...flags, "--", "bash", "-c", script]);
    assertEquals((await person.see("33 99\r\n")).trim(), "all\r\n33 99");
    await person.resize(44, 111);
    await person.type("x\n");
    await person.see("44 111\r\n");
    await person.type("end\n");
    await person.see("ended 6\r\n");
    // The person's terminal is as it was, though it was raw meanwhile.
    assertMatch(await person.see("iexten"), / icanon /);
  });

  // What follows is the terminal's own doing, and the same in each place.
  if (flags !== ANYWHERE) continue;
  run("lets Ctrl-C reach the program, again and again", async (scene) => {
    const script = "trap 'echo int' INT; echo on; while :; do read -r line; echo got $line; done";
    const person = await atTerminal(scene, ["-q", ...flags, "--", "sh", "-c", script]);
    let seen = await person.see("on\r\n");
    for (const line of ["a", "b", "c"]) {
      await person.type("\x03");
      await person.type(`${line}\n`);
      seen += await person.see(`got ${line}\r\n`);
    }
    assertEquals(seen.split("int\r\n").length - 1, 3, seen);
    await person.type("\x1c");
    await person.see("ended 131\r\n");
  });

  run("lets a shell control its jobs", async (scene) => {
    const person = await atTerminal(scene, ["-q", ...flags, "--", "bash", "--norc", "--noprofile"]);
    await person.type("PS1='<$?> '\n");
    await person.see("<0> ");
    await person.type(`sh -c 'trap "echo ba""ck" CONT; echo ru""ns; while :; do read -r x; done'\n`);
    await person.see("runs\r\n");
    await person.type("\x1a");
    await person.see("<148> ");
    await person.type("fg\n");
    await person.see("back\r\n");
    await person.type("\x03");
    await person.see("<130> ");
    await person.type("exit 3\n");
    await person.see("ended 3\r\n");
  });

  run("keeps stderr apart if it goes elsewhere", async (scene) => {
    const script = "test -t 1 && echo out; test -t 2 || echo problem >&2";
    const person = await atTerminal(scene, ["-q", ...flags, "--", "sh", "-c", script], "2>errors.txt");
    assertEquals((await person.see("ended 0\r\n")).trim(), "out\r\nended 0");
    assertEquals(await Deno.readTextFile(`${scene.path}/errors.txt`), "problem\n");
  });
}
