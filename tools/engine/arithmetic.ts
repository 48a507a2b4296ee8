import { ToolError } from "../../schemas/error.ts";

/** Deepest nesting of parentheses: the parser calls itself for each. */
const MAX_DEPTH = 100;
const MAX_SHOWN = 200;
/** A number, an operator or parenthesis, or a run of anything else that is no white space. */
const TOKEN = /(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?|[-+*/()]|[^\s\d+*/()-]+/gi;

/**
 * Evaluates an expression of decimal numbers, `+ - * /`, signs and parentheses; operators of one rank group to the left.
 *
 * @returns A finite number
 * @throws {ToolError} `invalid_input` with `details.position`, from 1, for any other text, for a division by
 * zero and for a result too large for a number
 */
export function evaluateArithmetic(expression: string): number {
  const tokens = Array.from(expression.matchAll(TOKEN), (match) => ({ text: match[0], at: match.index }));
  const parser: Parser = { expression, tokens, next: 0, depth: 0 };
  if (tokens.length === 0) throw failure(parser, "it is empty");
  const value = readSum(parser);
  if (parser.next < tokens.length) throw unexpected(parser);
  // Adding zero turns -0 into 0.
  return value + 0;
}

interface Parser {
  expression: string;
  tokens: { text: string; at: number }[];
  /** Index of the next token. */
  next: number;
  depth: number;
}

function readSum(parser: Parser): number {
  let value = readProduct(parser);
  for (;;) {
    const operator = parser.next;
    if (take(parser, "+")) value += readProduct(parser);
    else if (take(parser, "-")) value -= readProduct(parser);
    else return value;
    expectFinite(value, { ...parser, next: operator });
  }
}

function readProduct(parser: Parser): number {
  let value = readSigned(parser);
  for (;;) {
    const operator = parser.next;
    if (take(parser, "*")) {
      value *= readSigned(parser);
    } else if (take(parser, "/")) {
      const divisor = readSigned(parser);
      if (divisor === 0) throw failure({ ...parser, next: operator }, "division by zero");
      value /= divisor;
    } else {
      return value;
    }
    expectFinite(value, { ...parser, next: operator });
  }
}

function readSigned(parser: Parser): number {
  let sign = 1;
  for (;;) {
    if (take(parser, "-")) sign = -sign;
    else if (!take(parser, "+")) return sign * readOperand(parser);
  }
}

function readOperand(parser: Parser): number {
  if (!take(parser, "(")) return readNumber(parser);
  if (++parser.depth > MAX_DEPTH) throw failure(parser, `parentheses are nested deeper than ${MAX_DEPTH}`);
  const value = readSum(parser);
  if (!take(parser, ")")) throw unexpected(parser, `")" is missing`);
  parser.depth--;
  return value;
}

function readNumber(parser: Parser): number {
  const text = parser.tokens[parser.next]?.text ?? "";
  if (!/^\.?\d/.test(text)) throw unexpected(parser, 'a number or "(" is missing');
  const value = Number(text);
  expectFinite(value, parser);
  parser.next++;
  return value;
}

function take(parser: Parser, symbol: string): boolean {
  if (parser.tokens[parser.next]?.text !== symbol) return false;
  parser.next++;
  return true;
}

function expectFinite(value: number, parser: Parser): void {
  if (!Number.isFinite(value)) throw failure(parser, "the result is too large for a number");
}

function unexpected(parser: Parser, missing = ""): ToolError {
  const token = parser.tokens[parser.next];
  return failure(parser, token ? `unexpected "${token.text.slice(0, MAX_SHOWN)}"` : missing);
}

function failure({ expression, tokens, next }: Parser, reason: string): ToolError {
  const position = (tokens[next]?.at ?? expression.length) + 1;
  const shown = expression.length > MAX_SHOWN ? `${expression.slice(0, MAX_SHOWN)}…` : expression;
  const message = `Cannot evaluate "${shown}": ${reason} at position ${position}`;
  return new ToolError("invalid_input", message, { details: { position } });
}
