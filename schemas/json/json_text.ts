import { ToolError } from "../error.ts";

/** How many characters of a broken line are shown on either side of the fault. */
const SHOWN = 30;

/** Deepest nesting of lists and objects; much deeper values cannot be copied into a room. */
const MAX_DEPTH = 500;

/**
 * Parses JSON; a leading byte order mark is fine.
 *
 * @param what Names the text in the message: `the arguments`, `file "a.json"`
 * @throws {ToolError} `invalid_input` with line, column and the broken place; also for more than 500 levels
 */
export function parseJson(text: string, what: string): unknown {
  const value = parseText(text.startsWith("\uFEFF") ? text.slice(1) : text, what);
  if (!isTooDeep(value)) return value;
  throw new ToolError("invalid_input", `Cannot use ${what}: it is nested more than ${MAX_DEPTH} levels deep`);
}

/** Says whether a text is JSON as it stands. */
export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Says whether lists and objects are nested more than 500 levels deep: recursion may run out of stack. */
export function isTooDeep(value: unknown): boolean {
  // Checks level by level: recursion would itself run out of stack.
  let level = [value].filter(isNested);
  for (let depth = 0; depth < MAX_DEPTH && level.length > 0; depth++) {
    level = level.flatMap((item) => Object.values(item).filter(isNested));
  }
  return level.length > 0;
}

function isNested(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

function parseText(source: string, what: string): unknown {
  try {
    return JSON.parse(source);
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    if (source.trim() === "") {
      throw new ToolError("invalid_input", `No JSON in ${what}: it is empty`, { cause });
    }
    const { at, expected } = findFault(source);
    const before = source.slice(0, at);
    const line = before.split("\n").length;
    const column = at - before.lastIndexOf("\n");
    const message = `Broken JSON in ${what}, line ${line} column ${column}: ${expected}\n${
      showPlace(source, at)
    }`;
    throw new ToolError("invalid_input", message, { cause, details: { line, column } });
  }
}

interface Fault {
  /** Index of the first wrong character. */
  at: number;
  expected: string;
}

/** What may come next: a value, a member's name, and so on. */
type Next = "value" | "value or ]" | "name" | "name or }" | "colon" | "comma" | "end";

const EXPECTED: Record<Exclude<Next, "comma">, string> = {
  value: "expected a value",
  "value or ]": 'expected a value or "]"',
  name: "expected a name in double quotes",
  "name or }": 'expected a name in double quotes or "}"',
  colon: 'expected ":"',
  end: "expected nothing more",
};

/** Finds the first fault with its own stack: the engine's messages do not always give the place. */
function findFault(text: string): Fault {
  const open: string[] = [];
  let state: State = { at: 0, next: "value" };
  while (true) {
    const at = skip(text, state.at, /[ \t\n\r]*/y);
    const step = readToken(text, { at, next: state.next }, open);
    if ("expected" in step) return step;
    state = step;
  }
}

interface State {
  at: number;
  next: Next;
}

function readToken(text: string, { at, next }: State, open: string[]): State | Fault {
  const char = text[at];
  const closing = open.at(-1) === "{" ? "}" : "]";
  const mayClose = open.length > 0 && (next === "comma" || next.endsWith(closing));
  if (mayClose && char === closing) {
    open.pop();
    return { at: at + 1, next: afterValue(open) };
  }
  if (next === "comma" && char === ",") return { at: at + 1, next: closing === "}" ? "name" : "value" };
  if (next === "colon" && char === ":") return { at: at + 1, next: "value" };
  if (next.startsWith("name") && char === '"') return goOn(endOfString(text, at), "colon");
  if (!next.startsWith("value")) {
    return { at, expected: next === "comma" ? `expected "," or "${closing}"` : EXPECTED[next as "end"] };
  }
  if (char === "{" || char === "[") {
    open.push(char);
    return { at: at + 1, next: char === "{" ? "name or }" : "value or ]" };
  }
  return goOn(endOfScalar(text, at, EXPECTED[next as "value"]), afterValue(open));
}

function afterValue(open: readonly string[]): Next {
  return open.length > 0 ? "comma" : "end";
}

function goOn(end: number | Fault, next: Next): State | Fault {
  return typeof end === "number" ? { at: end, next } : end;
}

function skip(text: string, at: number, pattern: RegExp): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}

function endOfScalar(text: string, at: number, expected: string): number | Fault {
  if (text[at] === '"') return endOfString(text, at);
  const end = skip(text, at, /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-])/y);
  return end > at ? end : { at, expected };
}

function endOfString(text: string, start: number): number | Fault {
  for (let at = start + 1; at < text.length; at++) {
    const char = text[at]!;
    if (char === '"') return at + 1;
    if (char < " ") return { at, expected: "expected no line break or control character inside a string" };
    if (char !== "\\") continue;
    const end = skip(text, at, /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y);
    if (end === at) return { at, expected: "expected an escape such as \\n or \\\\" };
    at = end - 1;
  }
  return { at: start, expected: "expected a closing quote for this string" };
}

/** The broken line, cut around the fault, and a caret below it. */
function showPlace(text: string, at: number): string {
  const start = Math.max(text.lastIndexOf("\n", at - 1) + 1, at - SHOWN);
  const line = text.slice(start, at + SHOWN).split(/[\r\n]/, 1)[0]!;
  // Each unit becomes one column, so that the caret stands below the fault and no control character reaches
  // the terminal.
  // deno-lint-ignore no-control-regex
  return `  ${line.replace(/[\u0000-\u001f\u007f-\u009f]/g, " ")}\n  ${" ".repeat(at - start)}^`;
}
