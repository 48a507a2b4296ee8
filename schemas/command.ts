/** A command that a call wants to run: a program with its arguments, or a text for a shell. */
export type Command =
  | {
    argv: readonly string[];
    /** All that it reads from stdin, if this is known. */
    stdin?: string;
  }
  | {
    script: string;
    /** Name of the shell that will read the text. */
    shell: string;
    /** Typed into a program that already runs and may not be a shell: until its line is ended, only forbidden commands matter. */
    typed?: boolean;
  };

/** The user's own decision about a command, in code: nothing allows it, a reason refuses it. What it throws refuses, too. */
export type CommandFilter = (
  command: Command,
) => void | { refuse: string } | Promise<void | { refuse: string }>;

/** How much harm a command could do outside a box. */
export type Risk = "low" | "medium" | "high" | "critical";

/** All risks, from the least. */
export const RISKS: readonly Risk[] = ["low", "medium", "high", "critical"];

/** A program with its arguments, as it starts, without the shells and wrappers around it. */
export interface SimpleCommand {
  /** Base name of the program, `""` if it is unknown before the run. */
  program: string;
  /** The program as written. */
  path: string;
  /** Arguments with quotes removed; `null` for one that is unknown before the run. */
  args: readonly (string | null)[];
  /** Wrappers that start it, outermost first: `["sudo", "xargs"]`. */
  via: readonly string[];
  /** Variables set for it: `["LD_PRELOAD"]`. */
  assigns: readonly string[];
  /** Files that redirections write; `null` for an unknown one. */
  writes: readonly (string | null)[];
}

/** What the analysis found about a command. It is for advice and audit; the box is the wall. */
export interface CommandAnalysis {
  /** Every program that it would start, as far as that is known. */
  commands: readonly SimpleCommand[];
  /** Why parts of it cannot be understood before they run; empty if all is clear. */
  opaque: readonly string[];
  /** Names of the rules that forbid it. */
  rules: readonly string[];
  /** The highest risk of its commands. */
  risk: Risk;
}

/** A rule of the user's own policy: a program, and the words that it must have for the rule to apply. */
export interface CommandRule {
  /** Base name, or an absolute path. */
  program: string;
  /** Words that must follow first, in this order: `["remote", "add"]`. @default none */
  words?: readonly string[];
  /** At least one of these options must be there: `["--force", "-f"]`. @default any */
  options?: readonly string[];
}

/** What a policy says about commands, besides its grants. */
export interface CommandPolicy {
  /** The policy's name, for messages and the audit. */
  name: string;
  /**
   * `free` forbids what the rules forbid, `no-write` also commands that write. `listed` allows only known
   * readers.
   */
  level: "free" | "no-write" | "listed";
  /** If the list is not empty, every command must match one of its rules. */
  allow: readonly CommandRule[];
  /** Wins over `allow`. */
  deny: readonly CommandRule[];
}
