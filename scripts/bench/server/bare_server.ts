// A script of a bench tells its port on stdout.
// deno-lint-ignore-file no-console
import manifestJson from "../../../tools/manifest.json" with { type: "json" };
import { callTool } from "../../../runtime/calls/call_tool.ts";
import { findTool } from "../../../runtime/calls/catalog/find_tool.ts";
import { openHost } from "../../../runtime/host/open_host.ts";
import { runnerSettings } from "../../../runtime/host/runner_settings.ts";
import { MAIN_URL } from "../../../runtime/self/entry_urls.ts";
import type { Manifest } from "../../../schemas/manifest.ts";

/** Calls `Read` in a folder, as a program does that embeds this one. Ends with `await using`. */
export interface EmbeddedRead extends AsyncDisposable {
  read(input: unknown): Promise<{ ok: boolean }>;
}

/** Opens a host in a folder. */
export function embeddedRead(folder: string): EmbeddedRead {
  const manifest = manifestJson as Manifest;
  const host = openHost(runnerSettings({ workspace: folder }, manifest, MAIN_URL), { manifest });
  const tool = findTool(host.catalog, "Read");
  return {
    read: (input) => callTool(tool, input, { machine: host }),
    [Symbol.asyncDispose]: () => host[Symbol.asyncDispose](),
  };
}

/** The least that a program can do to offer the call over HTTP: no token, no checks, no bounds. Tells its port on stdout. */
async function serveBare(folder: string): Promise<void> {
  await using embedded = embeddedRead(folder);
  const server = Deno.serve({
    hostname: "127.0.0.1",
    port: 0,
    onListen: ({ port }) => console.log(port),
  }, async (request) => Response.json(await embedded.read((await request.json()).arguments)));
  Deno.addSignalListener("SIGTERM", () => server.shutdown());
  await server.finished;
}

if (import.meta.main) {
  await serveBare(Deno.args[0]!);
  Deno.exit();
}
