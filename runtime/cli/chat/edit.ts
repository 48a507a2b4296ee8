/** A text that is being written. */
export interface Draft {
  text: string;
  /** Where the next character comes, in units of UTF-16. */
  cursor: number;
}

/** What can be done to a draft. */
export type EditName =
  | "left"
  | "right"
  | "wordLeft"
  | "wordRight"
  | "home"
  | "end"
  | "backspace"
  | "delete"
  | "killWord"
  | "killWordRight"
  | "killStart"
  | "killEnd";

/** Nothing is written. */
export const EMPTY: Draft = { text: "", cursor: 0 };

const segmenter = new Intl.Segmenter();

/** Where the cursor would be after a move. */
const MOVES: Readonly<Record<"left" | "right" | "wordLeft" | "wordRight" | "home" | "end", Move>> = {
  left: ({ text, cursor }) =>
    cursor - (lastOf(text.slice(lineStart(text, cursor), cursor)) || (cursor > 0 ? 1 : 0)),
  right: ({ text, cursor }) => cursor + firstOf(text.slice(cursor)),
  wordLeft: ({ text, cursor }) =>
    cursor -
    /(?:[\p{L}\p{M}\p{N}_]+[^\p{L}\p{M}\p{N}_]*|[^\p{L}\p{M}\p{N}_]+)?$/u.exec(text.slice(0, cursor))![0]
      .length,
  wordRight: ({ text, cursor }) =>
    cursor + /^[^\p{L}\p{M}\p{N}_]*[\p{L}\p{M}\p{N}_]*/u.exec(text.slice(cursor))![0].length,
  home: ({ text, cursor }) => lineStart(text, cursor),
  end: ({ text, cursor }) => lineEnd(text, cursor),
};

type Move = (draft: Draft) => number;

/** What goes is what lies between the cursor and where a move would lead. */
const KILLS: Readonly<Record<Exclude<EditName, keyof typeof MOVES>, Move>> = {
  backspace: MOVES.left,
  delete: MOVES.right,
  // As terminals do it: up to a blank.
  killWord: ({ text, cursor }) => cursor - /\S*\s*$/.exec(text.slice(0, cursor))![0].length,
  killWordRight: MOVES.wordRight,
  // At the end of a line, the line end goes.
  killStart: (draft) => orNext(MOVES.home(draft), draft, MOVES.left),
  killEnd: (draft) => orNext(MOVES.end(draft), draft, MOVES.right),
};

/** Does something to a draft; `killed` is what went. */
export function edit(draft: Draft, name: EditName): { draft: Draft; killed: string } {
  if (name in MOVES) {
    return { draft: { ...draft, cursor: MOVES[name as keyof typeof MOVES](draft) }, killed: "" };
  }
  const { text, cursor } = draft;
  const to = KILLS[name as keyof typeof KILLS](draft);
  const [from, until] = to < cursor ? [to, cursor] : [cursor, to];
  const left = { text: text.slice(0, from) + text.slice(until), cursor: from };
  return { draft: left, killed: text.slice(from, until) };
}

/** Writes at the cursor. */
export function insert({ text, cursor }: Draft, added: string): Draft {
  return { text: text.slice(0, cursor) + added + text.slice(cursor), cursor: cursor + added.length };
}

/** Returns a draft with the cursor at its end. */
export function draftOf(text: string): Draft {
  return { text, cursor: text.length };
}

function orNext(to: number, draft: Draft, move: Move): number {
  return to === draft.cursor ? move(draft) : to;
}

function lineStart(text: string, cursor: number): number {
  return cursor === 0 ? 0 : text.lastIndexOf("\n", cursor - 1) + 1;
}

function lineEnd(text: string, cursor: number): number {
  const end = text.indexOf("\n", cursor);
  return end < 0 ? text.length : end;
}

/** Length of the first character as a reader sees it; an emoji is up to eleven units. */
function firstOf(text: string): number {
  for (const { segment } of segmenter.segment(text.slice(0, 64))) return segment.length;
  return 0;
}

function lastOf(text: string): number {
  let length = 0;
  for (const { segment } of segmenter.segment(text.slice(-64))) length = segment.length;
  return length;
}
