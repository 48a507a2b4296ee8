/** A text that is typed into a program, which may be a shell that edits its line. */
export interface TypedText {
  /** What a shell would run, without what Ctrl-C and Ctrl-U take back. */
  script: string;
  /** No line of it is ended yet: it may be keys for another program, and a shell runs nothing of it. */
  isPart: boolean;
  /** It has keys or marks that put other words into the line, which are not followed here. */
  isEdited: boolean;
}

/** Line end, or a key that takes the line back. */
// deno-lint-ignore no-control-regex
const TAKEN_BACK = /[^\n]*[\x03\x15]/g;
/** Ctrl-D there ends the input. */
// deno-lint-ignore no-control-regex
const ENDED = /^\x04+/gm;
/** Every other key, and marks for an earlier line. */
// deno-lint-ignore no-control-regex
const EDITING = /[\x00-\x02\x05-\x09\x0b-\x14\x16-\x1f\x7f]|\x04|(?<!\$)![^\s=(]|^\^/m;

/** Reads what is typed as a shell with a line editor would. */
export function readTyped(data: string): TypedText {
  const script = data.replaceAll("\r", "\n").replace(TAKEN_BACK, "").replace(ENDED, "");
  return { script, isPart: !script.includes("\n"), isEdited: EDITING.test(script) };
}
