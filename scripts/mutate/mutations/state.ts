import type { Mutation } from "../mutation.ts";

/** Of sessions, undo and overlays. */
export const STATE: readonly Mutation[] = [
  {
    id: "state-session-link",
    file: "runtime/state/sessions/check_session.ts",
    find: "  if (!kind) throw",
    replace: "  if (!kind && !info.isSymlink) throw",
    promise: "a session that is a link to elsewhere is not gone on with",
    caughtBy: ["tests/unit/runtime/state/sessions_test.ts"],
  },
  {
    id: "state-torn-line",
    file: "runtime/state/sessions/line_file.ts",
    find: "    this.#torn = isTorn(file);",
    replace: "    this.#torn = false;",
    promise: "after a line that a kill has torn, the next one is whole",
    caughtBy: ["tests/unit/runtime/state/trace_file_test.ts"],
  },
];
