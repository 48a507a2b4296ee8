import { assertEquals, assertThrows } from "@std/assert";

import { PROGRAM_VARIABLES, programEnvironment } from "../../../../../runtime/programs/launch/environment.ts";
import { ToolError } from "../../../../../schemas/error.ts";

const HERE = { path: "/usr/bin", home: "/tmp/home", tmp: "/tmp", terminal: false, allowed: {}, own: {} };
const PLAIN = {
  PATH: "/usr/bin",
  HOME: "/tmp/home",
  TMPDIR: "/tmp",
  LANG: "C.UTF-8",
  USER: "user",
  LOGNAME: "user",
  SHELL: "/bin/bash",
  GIT_TERMINAL_PROMPT: "0",
  TERM: "dumb",
};

Deno.test("programEnvironment() is a short list of its own", { permissions: "none" }, () => {
  assertEquals(programEnvironment(HERE), PLAIN);
  assertEquals(PROGRAM_VARIABLES, ["LANG", "LC_ALL", "TZ", "TERM", "USER"]);
});

Deno.test("programEnvironment() adds what the user lets through, and the tool's own last", {
  permissions: "none",
}, () => {
  const allowed = {
    LANG: "de_DE.UTF-8",
    TZ: "Asia/Tokyo",
    USER: "ann",
    API_URL: "x",
    LD_PRELOAD: "/lib/y.so",
  };
  const own = { API_URL: "tool", PAGER: "cat" };
  assertEquals(programEnvironment({ ...HERE, allowed, own }), {
    ...PLAIN,
    ...allowed,
    LOGNAME: "ann",
    API_URL: "tool",
    PAGER: "cat",
  });
});

Deno.test("programEnvironment() names a terminal only where there is one", { permissions: "none" }, () => {
  const termOf = (terminal: boolean, TERM?: string) =>
    programEnvironment({ ...HERE, terminal, allowed: TERM === undefined ? {} : { TERM } }).TERM;
  assertEquals(
    [termOf(true), termOf(true, "screen"), termOf(true, "dumb"), termOf(true, ""), termOf(false, "screen")],
    ["xterm-256color", "screen", "xterm-256color", "xterm-256color", "dumb"],
  );
});

Deno.test("programEnvironment() refuses what cannot be a variable", { permissions: "none" }, () => {
  for (const [name, value] of [["", "x"], ["A=B", "x"], ["A\0", "x"], ["A", "x\0"]] as const) {
    const error = assertThrows(() => programEnvironment({ ...HERE, own: { [name]: value } }), ToolError);
    assertEquals(error.code, "invalid_input");
  }
});

Deno.test("programEnvironment() lets no tool decide what is executed", { permissions: "none" }, () => {
  for (
    const name of [
      "PATH",
      "LD_PRELOAD",
      "LD_LIBRARY_PATH",
      "DYLD_X",
      "BASH_ENV",
      "ENV",
      "BASH_FUNC_ls%%",
      "IFS",
    ]
  ) {
    const error = assertThrows(() => programEnvironment({ ...HERE, own: { [name]: "x" } }), ToolError);
    assertEquals(error.code, "invalid_input", name);
  }
});
