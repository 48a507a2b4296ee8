/** Characters that JSON allows but that act on a terminal or a line reader: C1 controls, odd line ends. */
const UNSAFE = /[\x7f-\x9f\u2028\u2029]/g;

/** Returns a value as one line of JSON that is safe to print. */
export function jsonLine(value: unknown): string {
  return `${JSON.stringify(value).replace(UNSAFE, escape)}\n`;
}

function escape(char: string): string {
  return `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
