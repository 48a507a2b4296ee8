import { isObject } from "../../../schemas/json/shape.ts";
import type { LookAfter } from "../protected/look_after.ts";

/** A program that runs, or that was running when bulkhead ended. */
export interface ProgramRecord extends LookAfter {
  v: 1;
  /** The process of bulkhead. */
  pid: number;
  /** When it was written, in milliseconds since 1970. */
  time: number;
  /** What the environment of the program's first process holds. */
  mark: string;
}

/** How the names of records end. */
export const RECORD_ENDING = ".json";

/** Reads a record; `null` if it is not a whole one: then its program has not started. */
export function parseRecord(text: string): ProgramRecord | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) && value.v === 1 && "baseline" in value ? value as unknown as ProgramRecord : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
