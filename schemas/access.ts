import type { Command } from "./command.ts";

/** The four things that a call may touch outside itself. */
export type AccessKind = "read" | "write" | "net" | "run";

/** All kinds, in the order in which they are shown. */
export const ACCESS_KINDS: readonly AccessKind[] = ["read", "write", "net", "run"];

/**
 * What a tool needs of one kind: `"workspace"` is the workspace alone, `"granted"` all that the user granted
 * of that kind, a list names it.
 */
export type NeedScope = "workspace" | "granted" | readonly string[];

/** Kind to scope. A kind that is absent is not needed, and a room made for the tool does not have it. */
export type Needs = Readonly<Partial<Record<AccessKind, NeedScope>>>;

/** One thing that a call will touch: a path as the caller wrote it, a host, or a program. */
export interface Target {
  kind: AccessKind;
  value: string;
  /** Of a program: the command that it is started for, which is analysed before the call. */
  command?: Command;
}
