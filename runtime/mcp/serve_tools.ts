import type { ErrorInfo } from "../../schemas/error.ts";
import type { Manifest } from "../../schemas/manifest.ts";
import { chooseTools, type OfferedTool } from "../calls/catalog/choose_tools.ts";
import { configureHost } from "../host/configure_host.ts";
import type { HostSettings } from "../host/host_settings.ts";
import { type Host, openHost } from "../host/open_host.ts";
import type { ServeWay } from "./protocol.ts";
import { runServer, type ServeOptions } from "./serve_mcp.ts";
import type { ServerWorker } from "./start_server.ts";

/** What is served, and to whom. */
export interface Serving extends Pick<ServeOptions, "signal" | "onReady"> {
  settings: HostSettings;
  manifest: Manifest;
  way: ServeWay;
  /** The tools, as for a run. */
  choice: Parameters<typeof chooseTools>[1];
  /** Called before the first call runs; clients are answered meanwhile. @default nothing is done */
  onOffered?(host: Host, offered: readonly OfferedTool[]): Promise<void>;
}

/**
 * Opens a host and serves its tools, until the clients are gone or the signal aborts.
 *
 * @returns Why it ended, `null` if that is no failure
 * @throws {ToolError} As the start of a run does
 */
export async function serveTools(started: ServerWorker, serving: Serving): Promise<ErrorInfo | null> {
  const { settings, manifest, way, signal, onOffered } = serving;
  const secrets = way.kind === "http" && way.token !== null ? [way.token] : [];
  using configured = configureHost(
    { ...settings, control: { ...settings.control, secrets } },
    manifest.tools,
  );
  // A client that starts this program reads that file itself; and this program may be one of those servers.
  const project = configured.sources.project?.filter(({ kind }) => kind !== "servers") ?? [];
  const sources = { ...configured.sources, project };
  const openWith = (within: readonly string[] | null, gate?: Host["gate"]) => {
    const { settings: applied } = configured;
    const narrowed = within === null ? applied : { ...applied, places: { ...applied.places, within } };
    const own = { ...configured, sources, settings: narrowed };
    return openHost(narrowed, { manifest, configured: own, alone: true, ...(gate && { gate }) });
  };
  const host = openWith(null);
  const offered = await offeredBy(host, serving);
  return await runServer(started, {
    ...{ way, host, offered, choice: serving.choice, signal, onReady: serving.onReady },
    // Other sources say once what they have.
    grows: [...sources.mcp ?? [], ...sources.made ?? []].length > 0,
    isForeign: (tool) => !manifest.tools.some(({ full_name }) => full_name === tool.full_name),
    open: (within) => openWith(within, host.gate),
    prepare: async () => await onOffered?.(host, offered),
    warn: settings.warn,
  });
}

async function offeredBy(host: Host, { choice, signal }: Serving): Promise<OfferedTool[]> {
  try {
    await host.ready({ signal });
    return chooseTools(host.catalog, choice);
  } catch (error) {
    await host[Symbol.asyncDispose]();
    throw error;
  }
}
