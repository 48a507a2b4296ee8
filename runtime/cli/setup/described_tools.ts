import { type Catalog, describedCatalog, type DescribedTool } from "../../calls/catalog/catalog.ts";
import { configureHost, hasSources } from "../../host/configure_host.ts";
import { typeTools } from "../../host/config/response_types.ts";
import { openHost } from "../../host/open_host.ts";
import type { SourceSettings } from "../../sources/source.ts";
import type { NamedOutput } from "../../walls/files/place_output.ts";
import type { Options } from "../args/options/option_table.ts";
import type { Io } from "../io/io.ts";
import { hostSettings } from "./open_run.ts";

/**
 * Returns the tools of a run for commands that only show them: as the configuration leaves them, and those of its
 * sources. A run without sources is not opened for it.
 *
 * @param kept `servers`: MCP servers of the configuration and of the project are started and asked
 * @throws {ToolError} As a run with these options does
 */
export async function describedTools(
  options: Options,
  io: Io,
  { outputs = [], servers = true }: { outputs?: readonly NamedOutput[]; servers?: boolean } = {},
): Promise<Catalog<DescribedTool>> {
  const manifest = await io.manifest();
  // What is odd in the configuration is told by commands that do something.
  using configured = configureHost(
    hostSettings({ ...options, quiet: true }, io, { outputs }),
    manifest.tools,
  );
  const sources = servers ? configured.sources : withoutServers(configured.sources, options);
  if (!hasSources(sources)) {
    const tools = typeTools(manifest.tools, {}, configured.loaded).map(({ tool }) => tool);
    return describedCatalog({ ...manifest, tools });
  }
  const { warn } = hostSettings(options, io, {});
  const settings = { ...configured.settings, warn };
  await using host = openHost(settings, { manifest, configured: { ...configured, settings, sources } });
  await host.ready({ signal: io.interrupt });
  return host.catalog;
}

/** The servers of a file that the user names now are left. */
function withoutServers(sources: SourceSettings, { mcp: named = [] }: Options): SourceSettings {
  return {
    ...sources,
    mcp: (sources.mcp ?? []).slice(0, named.length),
    project: (sources.project ?? []).filter(({ kind }) => kind !== "servers"),
  };
}
