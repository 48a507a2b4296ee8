import type { Manifest } from "../../../schemas/manifest.ts";
import { useAgent } from "../../agent/use_agent.ts";
import { chooseTools, type OfferedTool } from "../../calls/catalog/choose_tools.ts";
import { configureHost, readHostConfig } from "../../host/configure_host.ts";
import { type Host, openHost } from "../../host/open_host.ts";
import type { Options } from "../args/options/option_table.ts";
import type { Io } from "../io/io.ts";
import { hostSettings } from "./open_run.ts";

/** The host of a run that an agent does, with what the agent makes of the settings. */
export interface AgentHost extends AsyncDisposable {
  host: Host;
  used: Awaited<ReturnType<typeof useAgent>>;
  /** The tools that the model has. */
  offered: readonly OfferedTool[];
}

/**
 * Sets a run up from the command line's options, as the agent that they name does it, or the usual one. Nothing runs yet, and
 * the servers of tools are ready.
 *
 * @throws {ToolError} As `useAgent` and `openHost` do
 */
export async function openAgentHost(options: Options, io: Io, manifest: Manifest): Promise<AgentHost> {
  const asked = {
    host: hostSettings(options, io, {}),
    manifest,
    tools: {
      toolsets: options.toolset ?? [],
      tools: options.tool ?? [],
      extraTools: options.extraTool ?? [],
    },
    model: { name: options.model, baseUrl: options.baseUrl },
    task: { agent: { name: options.agent, file: options.agents } },
  };
  const used = await useAgent(asked, readHostConfig(asked.host, manifest.tools));
  await using stack = new AsyncDisposableStack();
  const configured = stack.use(configureHost(used.settings.host, manifest.tools, used.loaded));
  const host = stack.use(openHost(used.settings.host, { manifest, configured }));
  await host.ready({ signal: io.interrupt });
  const offered = chooseTools(host.catalog, used.settings.tools);
  const opened = stack.move();
  return { host, used, offered, [Symbol.asyncDispose]: () => opened.disposeAsync() };
}
