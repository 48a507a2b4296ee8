import { ToolError } from "../../schemas/error.ts";

/**
 * Puts the program's libraries into Deno's cache: a program that embeds this one has its own modules there alone. Needs
 * `run` of Deno; that process reaches the npm registry.
 *
 * @param argv What fills the cache
 * @param env Variables that say where the cache is, besides those of this process
 * @throws {ToolError} `unavailable` with the command to run by hand
 */
export async function warmCache(
  argv: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<void> {
  const [program = "", ...args] = argv;
  const { success, stderr } = await new Deno.Command(program, { args, env, stdin: "null", stdout: "null" })
    .output();
  if (success) return;
  const said = new TextDecoder().decode(stderr).trim().split("\n").slice(0, 3).join(" ");
  const where = Object.entries(env).filter(([name]) => name === "DENO_DIR").map((pair) => pair.join("="));
  throw new ToolError(
    "unavailable",
    `Cannot start a room: its libraries are not in Deno's cache, and could not be fetched (${said}); run this once ` +
      `where the npm registry can be reached: ${[...where, ...argv].join(" ")}`,
  );
}
