import type { OptionNames } from "./arguments.ts";

/** How a program that runs code of another language is given that code. */
export interface Language {
  /** Options that hold code. */
  code: OptionNames;
  /** Other options whose value is the next argument. */
  valued?: OptionNames;
  /** First words that mean code follows: `deno eval`. */
  words?: readonly string[];
  /** Letter of the option that names a module, which gets all arguments after it. */
  module?: string;
  /** Its options may stand behind files, and `+` starts a command: editors. */
  isEditor?: boolean;
}

const SHELLS = new Set([
  "sh",
  "bash",
  "dash",
  "zsh",
  "ksh",
  "ksh93",
  "mksh",
  "ash",
  "hush",
  "rbash",
  "yash",
  "posh",
]);

const JAVASCRIPT: Language = {
  code: { short: "ep", long: ["eval", "print"] },
  valued: { short: "rC", long: ["require", "import", "loader", "conditions"] },
  words: ["eval", "repl"],
};
const NO_CODE: Language = { code: {} };

const LANGUAGES: Readonly<Record<string, Language>> = {
  python: { code: { short: "c" }, valued: { short: "WX" }, module: "m" },
  pypy: { code: { short: "c" }, valued: { short: "WX" }, module: "m" },
  node: JAVASCRIPT,
  nodejs: JAVASCRIPT,
  deno: { ...JAVASCRIPT, code: {} },
  bun: JAVASCRIPT,
  perl: { code: { short: "eE" }, valued: { short: "IMm" } },
  ruby: { code: { short: "e" }, valued: { short: "rI" } },
  php: { code: { short: "rBRE" }, valued: { short: "dcz" } },
  lua: { code: { short: "e" }, valued: { short: "l" } },
  luajit: { code: { short: "e" }, valued: { short: "lj" } },
  rscript: { code: { short: "e" } },
  julia: { code: { short: "eE", long: ["eval", "print"] } },
  elixir: { code: { short: "e", long: ["eval"] } },
  ghc: { code: { short: "e" } },
  groovy: { code: { short: "e" } },
  scala: { code: { short: "e" } },
  osascript: { code: { short: "e" } },
  tclsh: NO_CODE,
  wish: NO_CODE,
  guile: { code: { short: "c" } },
  expect: { code: { short: "c" } },
  gdb: { isEditor: true, code: { long: ["ex", "eval-command", "command"], short: "ex" } },
  fish: { code: { short: "cC", long: ["command", "init-command"] } },
  csh: { code: { short: "c" } },
  tcsh: { code: { short: "c" } },
  pwsh: { code: { short: "cCe", long: ["command"] } },
  powershell: { code: { short: "cCe", long: ["command"] } },
  ed: NO_CODE,
  ex: { isEditor: true, code: { short: "cS", long: ["cmd"] } },
  vi: { isEditor: true, code: { short: "cSs", long: ["cmd"] } },
  vim: { isEditor: true, code: { short: "cSs", long: ["cmd"] } },
  nvim: { isEditor: true, code: { short: "cSs", long: ["cmd"] } },
  view: { isEditor: true, code: { short: "cSs", long: ["cmd"] } },
  emacs: { isEditor: true, code: { short: "lf", long: ["eval", "execute", "load", "funcall", "script"] } },
  sqlite3: { code: { long: ["cmd"] } },
  at: NO_CODE,
  batch: NO_CODE,
  tmux: NO_CODE,
  screen: NO_CODE,
  // These run what lies in a folder, or what a file or a variable of the user names.
  "run-parts": NO_CODE,
  "xdg-user-dir": NO_CODE,
  "xdg-open": NO_CODE,
  "sensible-editor": NO_CODE,
  "sensible-pager": NO_CODE,
  "sensible-browser": NO_CODE,
  "run-mailcap": NO_CODE,
};

/** Says whether a program reads the shell language that this module understands. */
export function isShell(program: string): boolean {
  return SHELLS.has(program);
}

/** Says whether a program runs code of another language. */
export function isInterpreter(program: string): boolean {
  return languageOf(program) !== null;
}

/** Says whether a word names a program that runs whatever code it is given, and not an editor or a tool's own word. */
export function namesInterpreter(word: string): boolean {
  const name = word.slice(word.lastIndexOf("/") + 1);
  if (isShell(name)) return true;
  const language = languageOf(name);
  return language !== null && language !== NO_CODE && !language.isEditor;
}

/** Returns how a program is given code, `null` if it runs no code. */
export function languageOf(program: string): Language | null {
  const name = program.toLowerCase().replace(/(?:-?\d[\d.]*)$/, "");
  for (const key of [program, name]) if (Object.hasOwn(LANGUAGES, key)) return LANGUAGES[key]!;
  return null;
}
