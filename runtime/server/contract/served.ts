import type { Manifest } from "../../../schemas/manifest.ts";
import type { AgentSettings } from "../../agent/agent_settings.ts";
import type { HostSettings } from "../../host/host_settings.ts";

/**
 * What a server offers, fixed when it starts: no request adds to it. Only where nobody named a model, a request can, once.
 */
export interface Served extends Pick<AgentSettings, "tools" | "model" | "limits" | "thinking"> {
  /** With the grants of the command line; its workspace is the usual one. */
  host: HostSettings;
  manifest: Manifest;
  /** The usual agent, and the file of further ones. */
  agent: NonNullable<AgentSettings["task"]["agent"]>;
  /** Texts that are added to the system prompt of each run. @default none */
  roles?: readonly string[];
  /** Real paths of the folders that runs and calls may work in or below; the first is the usual one. */
  roots: readonly string[];
  /** Most runs at work at once. */
  maxRuns: number;
  /** A run ends when the client that started it has gone. */
  stopOnDisconnect: boolean;
}
