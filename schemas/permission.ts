import type { Target } from "./access.ts";
import type { CommandAnalysis } from "./command.ts";

/** What happens to a call whose permission is asked. */
export type Verdict = "allow" | "confirm" | "deny";

/** Who may call a tool, as data. */
export type Permission =
  | Verdict
  | {
    /** The caller's role must be one of these. */
    roles: readonly string[];
    /** For any other caller. @default "deny" */
    otherwise?: Verdict;
  }
  | {
    /**
     * Argument to pattern, where `*` stands for any text; all must match. One pattern of a list is enough. An argument
     * that is a path counts as the path that it leads to, relative to the workspace if it lies there.
     */
    when: Readonly<Record<string, string | readonly string[]>>;
    /** @default "allow" */
    then?: Verdict;
    /** @default "deny" */
    otherwise?: Verdict;
  };

/** A permission as a function, for programs that embed this one. If it throws, the call is refused. */
export type PermissionPredicate = (
  call: {
    tool: string;
    input: unknown;
    role: string | null;
    /** The absolute real paths that the arguments lead to which are paths; `null` for links in a circle. */
    paths: Readonly<Record<string, string | null>>;
  },
) => Verdict | boolean | Promise<Verdict | boolean>;

/** What a call would do, as a person who is asked wants to know it. */
export interface CallPreview {
  /** The paths, hosts and programs that it would touch. */
  targets: readonly Target[];
  /** What its commands were understood to do, with their risk. */
  analyses: readonly CommandAnalysis[];
  /** The change that it would make to a file, as lines that begin with `+` and `-`; `null` if it makes none. */
  change: string | null;
  /** What an answer for the rest of the run would cover, in words; `null` if it can only be for this call. */
  always: string | null;
}

/** A question to a person about one call. */
export interface ConfirmCall {
  /** Full name of the tool. */
  tool: string;
  /** The arguments, as the tool will get them. */
  input: unknown;
  /** Which tool it is, and why the person is asked. */
  question: string;
  /** Looks what the call would do; nothing runs. */
  preview(): Promise<CallPreview>;
}

/**
 * What a person decides: `true` and `"once"` are for this call, `"run"` for all such calls until the run ends, and
 * `false` refuses. The reason of a refusal is told to the model.
 */
export type Consent = boolean | "once" | "run" | { no: string };

/** Asks a person about one call; `false` if no person can answer. */
export type Confirm = (call: ConfirmCall) => Promise<Consent>;
