import { assertEquals, assertRejects } from "@std/assert";

import { SHELL_MARK } from "../../../../../schemas/program.ts";
import { ToolError } from "../../../../../schemas/error.ts";
import { programScene } from "../../../../support/program_scene.ts";

const waitMs = 60_000;

/** An open shell that waits for commands. */
async function shellScene() {
  const scene = programScene({ boxed: false });
  const { host } = scene;
  const call = scene.call();
  const { id, nonce = "" } = await host.open({ argv: ["bash"], shell: true }, call);
  const until = `${SHELL_MARK}${nonce}${SHELL_MARK}`;
  const codes = new RegExp(`${SHELL_MARK}(\\d+) \\d+${until}`, "g");
  const end = async () => {
    const { found, stdout } = await host.read(id, { waitMs, until }, call);
    assertEquals(found, true);
    const code = Number([...stdout.text.matchAll(codes)].at(-1)?.[1]);
    return { code, text: stdout.text.replace(codes, "") };
  };
  await end();
  return {
    ...scene,
    /** Starts a command, which says that it has begun. */
    async start(command: string): Promise<void> {
      await host.command(id, `echo begun; ${command}`, call);
      await host.read(id, { waitMs, quietMs: 1 }, call);
    },
    run: async (command: string) => {
      // Each Ctrl-C may have brought a prompt of its own.
      await host.read(id, { waitMs: 0 }, call);
      await host.command(id, command, call);
      return await end();
    },
    type: (text: string) => host.write(id, text, call),
    interrupt: () => host.signal(id, "SIGINT", call),
    end,
  };
}

/** Keeps this process from all other work, as a machine under load may do. */
function holdUp(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

Deno.test("ProgramInput keeps what no command has read from the next one, however late it is sent", async () => {
  await using shell = await shellScene();
  await shell.start("sleep 300");
  const error = await assertRejects(() => shell.type("x".repeat(200_000)), ToolError);
  assertEquals(error.code, "unavailable");
  await shell.interrupt();
  // The shell finds its input empty before the piece is sent that there was no room for.
  holdUp(500);
  assertEquals((await shell.end()).code, 130);
  assertEquals(await shell.run("echo fine"), { code: 0, text: "fine\n" });
});

Deno.test("ProgramInput sends a shell no text and no Ctrl-C for a command that has ended", async () => {
  await using shell = await shellScene();
  await shell.start("read -r line");
  const late = shell.type(`first\n${"y".repeat(3_000_000)}\ntouch leaked\n`);
  const error = await assertRejects(() => late, ToolError, "Session prog_1 takes no input: the command has");
  assertEquals(error.code, "conflict");
  await shell.end();
  await assertRejects(() => shell.type("touch leaked\n"), ToolError, "no command runs in it");
  await shell.interrupt();
  assertEquals(await shell.run("ls; echo got $line"), { code: 0, text: "got first\n" });
});

Deno.test("ProgramInput survives Ctrl-C while the shell drops what was not read", async () => {
  await using shell = await shellScene();
  await shell.start("sleep 300");
  await shell.type("x\n".repeat(20_000));
  for (let times = 0; times < 3; times++) {
    await shell.interrupt();
    holdUp(5);
  }
  assertEquals((await shell.end()).code, 130);
  assertEquals(await shell.run("echo fine"), { code: 0, text: "fine\n" });
});
