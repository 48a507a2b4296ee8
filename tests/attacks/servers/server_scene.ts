import { assert, assertEquals, assertStringIncludes } from "@std/assert";

import { initialize, type PipeClient } from "../../support/cli/mcp/client.ts";
import type { Place } from "../attack.ts";

const SERVER = await Deno.readTextFile(new URL("../../fixtures/mcp/probe_server.sh", import.meta.url));

/** A list with the tool that the probe of {@linkcode serverFiles} has. */
export function toolsJson(description = "Runs a probe."): string {
  return JSON.stringify({ tools: [{ name: "probe", description, inputSchema: { type: "object" } }] });
}

/** The files of a server in a folder of its own: whatever it is told to try, it tries. */
export function serverFiles(folder: string): Record<string, string> {
  const hello = {
    protocolVersion: "2025-11-25",
    capabilities: { tools: {} },
    serverInfo: { name: "p", version: "1" },
  };
  return {
    [`${folder}/package.json`]: "{}",
    [`${folder}/server.sh`]: SERVER,
    [`${folder}/hello.json`]: JSON.stringify(hello),
    [`${folder}/tools.json`]: toolsJson(),
  };
}

/** A wrapped server, and what it may be told to try. */
export interface Probe extends AsyncDisposable {
  client: PipeClient;
  /** Returns what a command of its shell wrote. */
  try(command: string): Promise<string>;
}

/** Starts `mcp wrap` around the server in `outside/server`. */
export async function wrapProbe(
  place: Place,
  { flags = [], env = {} }: { flags?: readonly string[]; env?: Record<string, string> } = {},
): Promise<Probe> {
  const client = await initialize(place.start(wrapWords(place, flags), { env }));
  await client.ask("tools/list");
  return {
    client,
    async try(command) {
      const b64 = btoa(place.fill(command));
      const { text } = await client.call("probe", { b64 });
      return new TextDecoder().decode(Uint8Array.from(atob(text), (char) => char.charCodeAt(0)));
    },
    [Symbol.asyncDispose]: () => client[Symbol.asyncDispose](),
  };
}

/**
 * What a case does: in the sandbox the server tries; without one it must not even start, unless the user says so.
 *
 * @param attempt Asserts that nothing came of it
 */
export function inServer(
  attempt: (probe: Probe, place: Place) => Promise<void>,
  options: { flags?: readonly string[]; env?: Record<string, string> } = {},
): (place: Place) => Promise<void> {
  return async (place) => {
    const flags = (options.flags ?? []).map(place.fill);
    if (!place.boxed) return await refusesToStart(place, flags);
    await using probe = await wrapProbe(place, { ...options, flags });
    assertEquals(await probe.try("echo alive"), "alive\n");
    await attempt(probe, place);
  };
}

async function refusesToStart(place: Place, flags: readonly string[]): Promise<void> {
  const { code, stdout, stderr } = await place.run(wrapWords(place, flags), { stdin: "" });
  assertEquals([code, stdout], [3, ""]);
  assertStringIncludes(stderr, "--allow-run=sh");
}

function wrapWords(place: Place, flags: readonly string[]): string[] {
  return ["mcp", "wrap", "probe", ...place.flags, ...flags, "--", "sh", `${place.outside}/server/server.sh`];
}

/** Says that a text holds none of these. */
export function assertWithout(text: string, ...parts: readonly string[]): void {
  for (const part of parts) {
    assert(!text.includes(part), `${JSON.stringify(part)} is in: ${text.slice(0, 2_000)}`);
  }
}
