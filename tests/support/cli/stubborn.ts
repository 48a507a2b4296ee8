import { assertEquals, assertStringIncludes } from "@std/assert";

import type { ToolResult } from "../../../schemas/result.ts";
import { hasProgram } from "../needed_programs.ts";
import type { Running } from "../program.ts";
import { makeScene, type Scene } from "./scene.ts";
import type { Sleepers } from "./sleepers.ts";

/** Time of the programs of calls, in seconds. */
export const SECONDS = 2;
export const CONFIG = "--config=../config.json";

/** A program that is hard to end: it says `part` once all of it runs. SLEEP is a sleeper, of which there are so many. */
export interface Stubborn {
  script: string;
  sleepers: number;
}

export function sceneOfLimits(): Scene {
  return makeScene({
    "config.json": JSON.stringify({ tools: { "manus/*": { timeout_seconds: SECONDS } } }),
    "home/.keep": "",
  });
}

const STUBBORN: Readonly<Record<string, Stubborn>> = {
  "one that ignores signals": { script: "trap '' TERM INT HUP; echo part; SLEEP; SLEEP", sleepers: 1 },
  "a whole tree that ignores signals": {
    script: "trap '' TERM INT HUP; (SLEEP & SLEEP & echo part; wait); SLEEP",
    sleepers: 2,
  },
  "grandchildren that hold the pipes": { script: "(SLEEP & SLEEP & wait) & echo part; wait", sleepers: 2 },
  "one in a session of its own": {
    script: "setsid sh -c 'trap \"\" TERM INT HUP; SLEEP; :' & echo part; wait",
    sleepers: 1,
  },
  "one whose parents have ended": {
    script: "(setsid sh -c '(SLEEP &) ; (setsid SLEEP &)' &); echo part; SLEEP",
    sleepers: 3,
  },
  "one that closed its pipes": {
    script: "(setsid SLEEP </dev/null >/dev/null 2>&1 &); echo part; exec SLEEP >/dev/null 2>&1",
    sleepers: 2,
  },
  "one that is stopped": { script: "SLEEP & echo part; kill -STOP $$", sleepers: 1 },
};

/** Without a box a program is known by its environment and its group: one that leaves both is lost. */
const ONLY_IN_BOX: typeof STUBBORN = {
  "one that has left group and environment": { script: "env -i setsid SLEEP & echo part; wait", sleepers: 1 },
};

export function stubbornIn(place: string): [name: string, stubborn: Stubborn][] {
  return Object.entries({ ...STUBBORN, ...(place === "in a box" ? ONLY_IN_BOX : {}) });
}

export function withWords(script: string, { words }: Sleepers): string {
  return script.replaceAll("SLEEP", words);
}

/**
 * Starts sleepers in the shell of manus/bash, and in a terminal where there are terminals: some ignore signals, some have
 * left the session. Returns when all of them run.
 */
export async function openSessions(
  batch: { call(tool: string, input?: unknown): Promise<ToolResult> },
  sleepers: Sleepers,
): Promise<void> {
  const command = withWords("trap '' TERM HUP; SLEEP & (setsid SLEEP &); SLEEP", sleepers);
  const shell = await batch.call("manus/bash", { command });
  assertStringIncludes(shell.text, "exit code: -1\nThe command is still running.");
  if (!hasProgram("script")) return await sleepers.run(3);
  assertEquals((await batch.call("TerminalStart")).ok, true);
  const typing = { session_id: "term_1", input: command, yield_time_ms: 0 };
  assertEquals((await batch.call("TerminalWrite", typing)).ok, true);
  await sleepers.run(6);
}

/** Starts a call of Bash whose command stands in no command line but its own, and waits until all of it runs. */
export async function startCall(
  scene: Scene,
  flags: readonly string[],
  { script, count, sleepers }: { script: string; count: number; sleepers: Sleepers },
): Promise<Running> {
  const running = scene.start(["call", "Bash", "-", "--json", ...flags]);
  await running.write(JSON.stringify({ command: withWords(script, sleepers), timeout: 500 }));
  await running.closeInput();
  await sleepers.run(count);
  return running;
}

export function asCaller(running: Running): { call(tool: string, input?: unknown): Promise<ToolResult> } {
  return {
    async call(tool, input = {}) {
      await running.write(`${JSON.stringify({ tool, arguments: input })}\n`);
      return JSON.parse(await running.nextLine() ?? "");
    },
  };
}
