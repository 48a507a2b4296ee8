import type { Command } from "./command.ts";

/** The four things that a call may touch outside itself. */
export type AccessKind = "read" | "write" | "net" | "run";

/** All kinds, in the order in which they are shown. */
export const ACCESS_KINDS: readonly AccessKind[] = ["read", "write", "net", "run"];

/**
 * What a tool needs of one kind: `"workspace"` is only the workspace, `"granted"` is all of that kind that
 * the user granted, `"if-granted"` is the same of files, for a tool that also works without any, a list gives names.
 */
export type NeedScope = "workspace" | "granted" | "if-granted" | readonly string[];

/** Scope of each kind. The tool does not need an absent kind, and its room does not get it. */
export type Needs = Readonly<Partial<Record<AccessKind, NeedScope>>>;

/** One thing that a call will touch: a path as the caller wrote it, a host, or a program. */
export interface Target {
  /** What is done to it. */
  kind: AccessKind;
  /** The path, host or program. */
  value: string;
  /** It is touched only if something else fails: it is shown, and refused when it is touched. @default false */
  ifNeeded?: boolean;
  /** Of a path in a question: where its links lead, if that is elsewhere. */
  real?: string;
  /** Of a program: the command that it is started for, which is analysed before the call. */
  command?: Command;
  /** Of a program: it runs apart from the user's files, as `apart` of a `ProgramSpec` says. @default false */
  apart?: boolean;
}
