/** A command that a call wants to have run: a program with its arguments, or a text for a shell. */
export type Command =
  | {
    argv: readonly string[];
    /** All that it reads from stdin, as far as it is known. */
    stdin?: string;
  }
  | {
    script: string;
    /** Name of the shell that will read the text. */
    shell: string;
    /** A line for something that runs already, which need not be a shell: only what is forbidden is looked for. */
    typed?: boolean;
  };

/** How much harm a command could do outside a box. */
export type Risk = "low" | "medium" | "high" | "critical";

/** All risks, from the least. */
export const RISKS: readonly Risk[] = ["low", "medium", "high", "critical"];

/** A program with its arguments, as it will be started once shells and wrappers are looked through. */
export interface SimpleCommand {
  /** Base name of the program, `""` if it cannot be told before it runs. */
  program: string;
  /** The program as written. */
  path: string;
  /** Arguments with quotes removed; `null` stands for one that cannot be told before it runs. */
  args: readonly (string | null)[];
  /** Wrappers that start it, from the outside in: `["sudo", "xargs"]`. */
  via: readonly string[];
  /** Variables set for it: `["LD_PRELOAD"]`. */
  assigns: readonly string[];
  /** Files that redirections write; `null` for one that cannot be told. */
  writes: readonly (string | null)[];
}

/** What a command was understood to do. Advice and audit: the box is the wall. */
export interface CommandAnalysis {
  commands: readonly SimpleCommand[];
  /** Why parts of it cannot be understood before they run; empty if all is clear. */
  opaque: readonly string[];
  /** Names of the rules that forbid it. */
  rules: readonly string[];
  risk: Risk;
}

/** A rule of a policy of the user's own: a program, and what must stand among its words for the rule to apply. */
export interface CommandRule {
  /** Base name, or an absolute path. */
  program: string;
  /** Words that must follow first, in this order: `["remote", "add"]`. @default none */
  words?: readonly string[];
  /** At least one of these options must be there: `["--force", "-f"]`. @default any */
  options?: readonly string[];
}

/** What a policy says about commands, beside what it grants. */
export interface CommandPolicy {
  /** The policy's name, for messages and the audit. */
  name: string;
  /** `free` forbids by the rules alone, `no-write` also what writes, `listed` lets only what is known to read. */
  level: "free" | "no-write" | "listed";
  /** If there are any, every command must match one. */
  allow: readonly CommandRule[];
  /** Wins over `allow`. */
  deny: readonly CommandRule[];
}
