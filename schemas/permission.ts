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
     * Argument to pattern, where `*` stands for any text; all must match. One pattern of a list is enough.
     */
    when: Readonly<Record<string, string | readonly string[]>>;
    /** @default "allow" */
    then?: Verdict;
    /** @default "deny" */
    otherwise?: Verdict;
  };

/** A permission as a function, for programs that embed this one. If it throws, the call is refused. */
export type PermissionPredicate = (
  call: { tool: string; input: unknown; role: string | null },
) => Verdict | boolean | Promise<Verdict | boolean>;

/** Asks a person about one call; false if no person can answer. */
export type Confirm = (call: { tool: string; input: unknown; question: string }) => Promise<boolean>;
