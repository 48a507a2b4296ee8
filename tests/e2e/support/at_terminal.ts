import { program } from "../../support/program.ts";
import type { Scene } from "./scene.ts";

/** Runs the program with a terminal on all three streams, at which something is typed at once. */
export async function atTerminal(
  scene: Scene,
  args: readonly string[],
  { typed, ci }: { typed: string; ci: string },
): Promise<{ code: number; screen: string }> {
  const command = [...program(), ...args].map((word) => `'${word}'`).join(" ");
  const child = new Deno.Command("script", {
    args: ["-qefc", command, "/dev/null"],
    cwd: scene.ws,
    env: {
      INIT_CWD: scene.ws,
      CI: ci,
      HOME: scene.at("home"),
      XDG_CONFIG_HOME: "",
      TERM: "dumb",
      NO_COLOR: "1",
      ...cache(),
    },
    stdin: "piped",
    stdout: "piped",
  }).spawn();
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(typed));
  const { code, stdout } = await child.output();
  // Only now: the end of input would end the terminal.
  await writer.close().catch(() => {});
  return { code, screen: new TextDecoder().decode(stdout) };
}

/** With another HOME, Deno would look for its cache elsewhere. */
function cache(): Record<string, string> {
  const home = Deno.env.get("HOME") ?? "/";
  return {
    DENO_DIR: Deno.env.get("DENO_DIR") ?? `${Deno.env.get("XDG_CACHE_HOME") ?? `${home}/.cache`}/deno`,
  };
}
