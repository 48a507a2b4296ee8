import { onOneLine } from "../../text/strip_controls.ts";
import { wrap } from "../help/wrap.ts";

/** One thing that `doctor` looked at. `warn` is worth knowing, `bad` makes the program unfit. */
export interface DoctorFinding {
  check: string;
  state: "ok" | "warn" | "bad";
  detail: string;
  /** What cannot be done on this machine because of it. */
  missing?: string;
}

const STATE_COLUMNS = 5;
const CHECK_COLUMNS = 12;
const INDENT = " ".repeat(STATE_COLUMNS + CHECK_COLUMNS);
/** On a narrower terminal, lines are broken by the terminal. */
const LEAST_COLUMNS = 20;

/**
 * Returns the findings as rows of two columns.
 *
 * @param width Columns of the terminal, `null` to break no line
 */
export function renderFindings(findings: readonly DoctorFinding[], width: number | null): string {
  const columns = width === null ? Infinity : Math.max(LEAST_COLUMNS, width - INDENT.length);
  return findings.map(({ check, state, detail }) =>
    `${state.padEnd(STATE_COLUMNS)}${check.padEnd(CHECK_COLUMNS)}${
      wrap(onOneLine(detail), columns, INDENT)
    }\n`
  ).join("");
}
