import { basename } from "@std/path";

import { ToolError } from "../../../schemas/error.ts";
import { startServing } from "../serving_child.ts";
import { BRIDGE_READY } from "./run_bridge.ts";

/** A running bridge. */
export interface Bridge {
  /** A process in its network. */
  readonly pid: number;
  readonly isAlive: boolean;
  /**
   * Makes it lead to a door. Throws {@linkcode ToolError} if it does not answer: then it is ended.
   *
   * @param withinMs Longest time until it answers, in milliseconds. @default 10_000
   */
  lead(door: { path: string; token: string }, withinMs?: number): Promise<void>;
  /** Ends it. */
  end(): Promise<void>;
}

/** Longest time until a bridge says that it is ready, or answers, in milliseconds: the machine may have much else to do. */
const ANSWER_MS = 10_000;
/** In what bubblewrap reports. */
const PID = /"child-pid":\s*(\d+)/;

/**
 * Starts a bridge and waits until it takes connections. It ends with this process. Needs `run`.
 *
 * @throws {ToolError} `unavailable` if it does not start
 */
export async function openBridge(command: readonly string[]): Promise<Bridge> {
  const child = startServing(command);
  const answer = async (last: string, withinMs: number) => {
    const text = await child.within(readUntil(child.output, last), withinMs);
    if (text.endsWith(last)) return text;
    throw new ToolError("unavailable", await child.end() || "it did not answer");
  };
  const report = await answer(BRIDGE_READY, ANSWER_MS);
  let told: Promise<unknown> = Promise.resolve();
  const lead = async ({ path, token }: { path: string; token: string }, withinMs: number) => {
    const name = basename(path);
    const answered = answer(`${name}\n`, withinMs);
    child.tell(`${name} ${token}`);
    await answered;
  };
  return {
    pid: Number(PID.exec(report)![1]),
    get isAlive() {
      return child.isAlive;
    },
    async lead(door, withinMs = ANSWER_MS) {
      const asked = told.catch(() => {}).then(() => lead(door, withinMs));
      told = asked;
      await asked;
    },
    end: async () => void await child.end(),
  };
}

/** Reads until the text comes, or the end. */
async function readUntil(output: ReadableStreamDefaultReader<string>, last: string): Promise<string> {
  let text = "";
  while (!text.endsWith(last)) {
    const { done, value } = await output.read();
    if (done) break;
    text += value;
  }
  return text;
}
