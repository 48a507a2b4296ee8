import { type Arguments, hasOption, operandsOf } from "./arguments.ts";

const VALUED = {
  short: "FvfEeil",
  long: ["assign", "field-separator", "file", "source", "include", "load", "exec"],
};
const FOREIGN_CODE = { short: "efEilD", long: ["file", "exec", "source", "include", "load", "debug"] };
const MAX_PROGRAM = 16_384;
const TOKEN = /"(?:\\.|[^"\\\n])*"|#[^\n]*|\/(?:\\.|[^/\\\n])*\/|[^"#/]|./su;
const MAY_PRECEDE_PATTERN = /(?:^|[({,;!~&|\n])\s*$/;
const STARTS = /\bsystem\s*\(|(?<!\|)\|(?!\|)|@/;
const PRINTS = /\bprintf?\b[^;}\n]*/g;

/** Says whether an awk program may start programs or write files. An unknown program may. */
export function awkRunsPrograms(args: Arguments): boolean {
  if (hasOption(ownOptions(args), FOREIGN_CODE)) return true;
  const [program] = operandsOf(args, VALUED);
  if (program === undefined) return false;
  return program === null || isActive(program);
}

/** Returns the options before the program; the words after it are data. */
function ownOptions(args: Arguments): Arguments {
  const [program] = operandsOf(args, VALUED);
  const end = program === undefined ? args.length : args.indexOf(program);
  return args.slice(0, end).map((arg) => /^-[Fv]./.test(arg ?? "") ? "-F" : arg);
}

function isActive(program: string): boolean {
  if (program.length > MAX_PROGRAM) return true;
  const code = bareCode(program);
  return STARTS.test(code) || [...code.matchAll(PRINTS)].some(([print]) => redirects(print));
}

/** Empties strings and patterns, and drops comments. */
function bareCode(program: string): string {
  const tokens = new RegExp(TOKEN, "suy");
  let code = "";
  let last = "";
  for (let at = 0; at < program.length;) {
    tokens.lastIndex = at;
    let token = tokens.exec(program)?.[0] ?? program[at]!;
    // Otherwise the slash is a division.
    if (token.startsWith("/") && !MAY_PRECEDE_PATTERN.test(last)) token = "/";
    at += token.length;
    if (token.length > 1) code += token.startsWith("#") ? "" : '""';
    else code += token;
    last = token.trim() === "" && token !== "\n" ? last : token.slice(-1);
  }
  return code;
}

/** Says whether a `print` has a `>` outside parentheses: there it names a file. */
function redirects(print: string): boolean {
  let depth = 0;
  for (const char of print) {
    if (char === "(") depth++;
    else if (char === ")") depth--;
    else if (char === ">" && depth <= 0) return true;
  }
  return false;
}
