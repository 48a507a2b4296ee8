import manifestJson from "../../../tools/manifest.json" with { type: "json" };
import { openHost } from "../../../runtime/host/open_host.ts";
import type { HostSettings } from "../../../runtime/host/host_settings.ts";
import { runnerSettings } from "../../../runtime/host/runner_settings.ts";
import type { SourceHost } from "../../../runtime/sources/source.ts";
import type { Manifest } from "../../../schemas/manifest.ts";
import { madeSource } from "./made_source.ts";

const MAIN = new URL("../../../main.ts", import.meta.url).href;

/** Opens a host without configuration files, and returns what its sources get. */
export async function sourceHost(
  workspace: string,
  { grants, sandbox = "auto", env = Deno.env.toObject() }:
    & Partial<Pick<HostSettings, "grants" | "env">>
    & Pick<HostSettings["places"], "sandbox"> = {},
): Promise<{ host: SourceHost; warnings: readonly string[] } & AsyncDisposable> {
  const manifest = manifestJson as Manifest;
  const settings = runnerSettings({ workspace, sandbox, config: false }, manifest, MAIN);
  const warnings: string[] = [];
  let given: SourceHost | undefined;
  const source = madeSource("host", []);
  const opened = openHost({
    ...settings,
    env,
    grants: { ...settings.grants, ...grants },
    warn: (message) => void warnings.push(message),
    tools: {
      sources: {
        made: [(host) => {
          given = host;
          return source(host);
        }],
      },
    },
  }, { manifest });
  await opened.ready();
  return { host: given!, warnings, [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose]() };
}
