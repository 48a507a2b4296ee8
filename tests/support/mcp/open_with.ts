import manifestJson from "../../../tools/manifest.json" with { type: "json" };
import { openHost } from "../../../runtime/host/open_host.ts";
import { type RunnerOptions, runnerSettings } from "../../../runtime/host/runner_settings.ts";
import { mcpSource } from "../../../runtime/sources/mcp/mcp_source.ts";
import type { Model } from "../../../schemas/agent/model.ts";
import type { Manifest } from "../../../schemas/manifest.ts";
import type { OpenWire } from "../../../runtime/sources/mcp/wire/mcp_wire.ts";
import { friendly } from "../../fixtures/mcp/friendly.ts";
import { hostile } from "../../fixtures/mcp/hostile.ts";
import { serverWire } from "./server_wire.ts";

const MAIN = new URL("../../../main.ts", import.meta.url).href;

/**
 * Opens a host with servers of `tests/fixtures/mcp`, by their names as commands, without walls of their own.
 */
export async function openWith(
  {
    servers,
    contextLimit,
    startMs = 30_000,
    listMs = 60_000,
    signMs,
    model,
    openWire = (wire) => wire,
    ...options
  }:
    & {
      servers: Record<string, unknown>;
      contextLimit?: number;
      startMs?: number;
      listMs?: number;
      signMs?: number;
      model?: Model;
    }
    & { openWire?: (wire: OpenWire) => OpenWire }
    & Partial<RunnerOptions>,
) {
  const workspace = await Deno.realPath(await Deno.makeTempDir());
  const warnings: string[] = [];
  const settings = runnerSettings(
    { workspace, config: false, warn: (message) => void warnings.push(message), ...options },
    manifestJson as unknown as Manifest,
    MAIN,
  );
  const made = [
    mcpSource({
      places: [{ servers, from: "the test" }],
      ...{ contextLimit, startMs, listMs, signMs },
      openServer: ({ transport }) =>
        openWire(serverWire((client) => {
          if (transport.kind !== "stdio") throw new Error("these servers are programs");
          return transport.command === "friendly" ? friendly(client) : hostile(client, transport.args[0]);
        })),
    }),
  ];
  const host = openHost({ ...settings, tools: { ...settings.tools, sources: { made } } }, {
    manifest: manifestJson as unknown as Manifest,
    ...model && { model },
  });
  await host.ready();
  return {
    ...{ host, workspace, warnings },
    async [Symbol.asyncDispose]() {
      await host[Symbol.asyncDispose]();
      await Deno.remove(workspace, { recursive: true });
    },
  };
}

export type OpenedWith = Awaited<ReturnType<typeof openWith>>;
