/** Writes one character outside a class, escaped where it would be read as something else. */
export function printCharacter(value: number): string {
  const char = String.fromCodePoint(value);
  if (/[\^$\\.*+?()[\]{}|/]/.test(char)) return `\\${char}`;
  return CONTROLS.get(value) ?? (isPlain(value) ? char : escape(value));
}

/** Writes one character of a class. */
export function printMember(value: number, dialect: "ascii" | "unicode"): string {
  const char = String.fromCodePoint(value);
  if (/[\\\][^-]/.test(char)) return `\\${char}`;
  // With the flag v more signs have a meaning, alone or doubled.
  if (dialect === "unicode" && /[!-/:-@[-`{-~]/.test(char)) return escape(value);
  return CONTROLS.get(value) ?? (isPlain(value) ? char : escape(value));
}

const CONTROLS: ReadonlyMap<number, string> = new Map([
  [0x09, "\\t"],
  [0x0a, "\\n"],
  [0x0b, "\\v"],
  [0x0c, "\\f"],
  [0x0d, "\\r"],
]);

function isPlain(value: number): boolean {
  const isControl = value < 0x20 || value >= 0x7f && value < 0xa0 || value === 0x2028 || value === 0x2029;
  return !isControl && !(value >= 0xd800 && value < 0xe000);
}

function escape(value: number): string {
  const hex = value.toString(16);
  return value < 0x100 ? `\\x${hex.padStart(2, "0")}` : `\\u${hex.padStart(4, "0")}`;
}
