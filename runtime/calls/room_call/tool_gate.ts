import type { ManifestEntry } from "../../../schemas/manifest.ts";
import type { Connection, NetRules } from "../../../schemas/net.ts";

/** The gate, as calls of tools use it. */
export interface ToolGate {
  /** Returns the names of the keys that the gate adds for a tool; it need not run for that. */
  keysOf(tool: ManifestEntry): readonly string[];
  /** Returns what masks those keys in a text; `null` if there are none. */
  maskOf(tool: ManifestEntry): ((text: string) => string) | null;
  /**
   * Returns the way of a tool to the network.
   *
   * @throws {ToolError} If it cannot be opened
   */
  toolDoor(tool: ManifestEntry, rules: NetRules): Promise<ToolDoor>;
}

/** A tool's way to the network. */
export interface ToolDoor {
  /** Path of its socket. */
  path: string;
  /** What each request carries. */
  token: string;
  /** Returns the connections of a call, and forgets them. */
  take(call: string): Promise<readonly Connection[]>;
}
