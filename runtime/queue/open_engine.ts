import type { EngineSettings, LinkState, QueueEngine } from "./contract/engine.ts";

/** stub */
export function openEngine(
  _settings: EngineSettings,
  _options: { onLink(state: LinkState): void; signal: AbortSignal },
): Promise<QueueEngine> {
  throw new Error("not yet");
}
