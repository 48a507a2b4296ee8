import { readLines } from "../../../runtime/text/lines.ts";

/** A server that was started, and how a client asks it. Ends with `await using`. */
export interface StartedServer extends AsyncDisposable {
  /** Its address, without a slash at the end. */
  address: string;
  token: string;
}

/**
 * Starts a server in a folder, at a port that is free.
 *
 * @param argv How the program is started
 * @param env What it has beside the variables of this program
 */
export async function startServer(
  argv: readonly string[],
  folder: string,
  env: Record<string, string> = {},
): Promise<StartedServer> {
  const child = new Deno.Command(argv[0]!, {
    args: [...argv.slice(1), "serve", "--port", "0", "-C", folder],
    env,
    stdin: "null",
    stdout: "null",
    stderr: "piped",
  }).spawn();
  const end = async () => {
    child.kill("SIGTERM");
    await child.status;
  };
  for await (const line of readLines(child.stderr)) {
    const [, address, token] = /serving on (\S+)\/\?token=(\S+)/.exec(line) ?? [];
    if (address !== undefined && token !== undefined) return { address, token, [Symbol.asyncDispose]: end };
  }
  throw new Error("the server did not start");
}
