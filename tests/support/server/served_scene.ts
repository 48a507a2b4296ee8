import { join } from "@std/path";

import manifestJson from "../../../tools/manifest.json" with { type: "json" };
import { runnerSettings } from "../../../runtime/host/runner_settings.ts";
import { MAIN_URL } from "../../../runtime/self/entry_urls.ts";
import type { Served } from "../../../runtime/server/contract/served.ts";
import type { Request } from "../../../runtime/server/contract/answer.ts";
import { denoDir } from "../deno_dir.ts";
import type { Manifest } from "../../../schemas/manifest.ts";

/** Makes what is served: the workspace `ws`, with a state folder of its own. */
export function servedScene(
  files: Readonly<Record<string, string>> = {},
  changes: (served: Served) => Partial<Served> = () => ({}),
) {
  const root = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "bulkhead-serve-" }));
  const ws = join(root, "ws");
  Deno.mkdirSync(ws);
  const write = (name: string, text: string) => {
    Deno.mkdirSync(join(root, name, ".."), { recursive: true });
    Deno.writeTextFileSync(join(root, name), text);
  };
  for (const [name, text] of Object.entries(files)) write(name, text);
  const manifest = manifestJson as Manifest;
  const host = runnerSettings({ workspace: ws, config: false }, manifest, MAIN_URL);
  const own = { HOME: join(root, "home"), XDG_STATE_HOME: join(root, "state"), DENO_DIR: denoDir() };
  const env = { ...host.env, ...own };
  const served: Served = {
    host: { ...host, env },
    manifest,
    tools: {},
    model: {},
    limits: {},
    agent: {},
    roots: [ws],
    maxRuns: 4,
    stopOnDisconnect: false,
  };
  return {
    ...{ root, ws, write },
    served: { ...served, ...changes(served) },
    [Symbol.dispose]: () => Deno.removeSync(root, { recursive: true }),
  };
}

export function asked(request: Partial<Request>): Request {
  return {
    params: {},
    query: {},
    body: {},
    headers: {},
    client: "127.0.0.1",
    connections: 1,
    signal: new AbortController().signal,
    ...request,
  };
}
