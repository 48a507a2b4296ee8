import * as z from "zod";

import { defineTool } from "../../schemas/tool.ts";

const MIN_LENGTH = 4;
const MAX_LENGTH = 128;
const CLASSES = ["abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "0123456789"];
const SYMBOLS = "!@#$%^&*";

export default defineTool({
  name: "generate_password",
  description:
    "Returns a random password from the system's cryptographic randomness, with at least one lower-case " +
    "letter, one upper-case letter, one digit and, if asked for, one symbol. " +
    'Example: {"length": 24, "include_symbols": true}.',
  input: z.object({
    length: z.int().default(16).describe(
      "Characters, 4 to 128; a value outside is moved to the nearest of them.",
    ),
    include_symbols: z.boolean().default(true).describe(`Also uses ${SYMBOLS}.`),
  }),
  output: z.string(),
  needs: {},
  readOnly: true,
  parallel: false,
  examples: [
    { line: "length=24 include_symbols=false", meaning: "Make a password of letters and digits" },
  ],
  limits: { timeoutMs: 1_000 },
  run({ length: asked, include_symbols }, context) {
    const length = Math.min(Math.max(asked, MIN_LENGTH), MAX_LENGTH);
    if (length !== asked) {
      context.warn(`length ${asked} is outside ${MIN_LENGTH} to ${MAX_LENGTH}, used ${length}`);
    }
    return drawPassword(length, include_symbols ? [...CLASSES, SYMBOLS] : CLASSES);
  },
});

/** Draws whole passwords until one has every class: so each such password is equally likely. */
function drawPassword(length: number, classes: readonly string[]): string {
  const alphabet = classes.join("");
  for (;;) {
    const password = Array.from({ length }, () => alphabet[drawBelow(alphabet.length)]).join("");
    if (classes.every((characters) => [...characters].some((one) => password.includes(one)))) return password;
  }
}

/** Draws an integer below a bound of at most 256; bytes that would favour small ones are thrown away. */
function drawBelow(bound: number): number {
  const limit = 256 - 256 % bound;
  const byte = new Uint8Array(1);
  do crypto.getRandomValues(byte); while (byte[0]! >= limit);
  return byte[0]! % bound;
}
