/** A text that is typed into a program, which may be a shell that edits its line. */
export interface TypedText {
  /** What a shell would run. */
  script: string;
  /** No line of it is ended yet: it may be keys for another program, and a shell runs nothing of it. */
  isPart: boolean;
  /** It has keys or marks that put other words into the line, which are not followed here. */
  isEdited: boolean;
}

/** Ctrl-C, Ctrl-D and Ctrl-U where a line begins: there is nothing that they could change. */
// deno-lint-ignore no-control-regex
const AT_START = /(?<!\\\n)^[\x03\x04\x15]+/gm;
/** Every key that changes a line, and marks for an earlier line. */
// deno-lint-ignore no-control-regex
const EDITING = /[\x00-\x09\x0b-\x1f\x7f]|(?<!\$)![^\s=(]|^\^/m;

/** Reads what is typed as a shell with a line editor would. */
export function readTyped(data: string): TypedText {
  const script = data.replaceAll("\r", "\n").replace(AT_START, "");
  return { script, isPart: !script.includes("\n"), isEdited: EDITING.test(script) };
}
