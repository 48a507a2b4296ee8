/** How a person at a terminal sees an output; `at` is the field that holds it, `null` for the output itself. */
export type ShownOutput =
  /** The text alone, and the summary where `truncated` is true. */
  | { kind: "text"; at: string }
  /** Texts, one a line, and the summary. */
  | { kind: "lines"; at: string | null }
  /**
   * Lines in which the argument `pattern` was found: objects with `path`, `line` and `text`, or texts. Case counts, unless
   * `caseArgument` names an argument that must be true for it. `searched` is the field with the number of files.
   */
  | { kind: "matches"; at: string | null; caseArgument?: string; searched?: string }
  /** `stdout` and `stderr` of a program, and its exit code in the field `code`. */
  | { kind: "program"; code: string };
