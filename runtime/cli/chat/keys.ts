import { stripControls } from "../../text/strip_controls.ts";

/** What a key does at a prompt. */
export type KeyName =
  | "enter"
  | "newline"
  | "left"
  | "right"
  | "wordLeft"
  | "wordRight"
  | "up"
  | "down"
  | "older"
  | "newer"
  | "home"
  | "end"
  | "backspace"
  | "delete"
  | "deleteOrEnd"
  | "killWord"
  | "killWordRight"
  | "killStart"
  | "killEnd"
  | "yank"
  | "complete"
  | "search"
  | "redraw"
  | "interrupt"
  | "suspend";

/** A key, or a text that was typed or pasted. */
export type Key = { name: KeyName } | { text: string };

const CONTROLS: Readonly<Record<string, KeyName>> = {
  "\r": "enter",
  "\n": "newline",
  "\t": "complete",
  "\x01": "home",
  "\x02": "left",
  "\x03": "interrupt",
  "\x04": "deleteOrEnd",
  "\x05": "end",
  "\x06": "right",
  "\b": "backspace",
  "\x0b": "killEnd",
  "\x0c": "redraw",
  "\x0e": "newer",
  "\x10": "older",
  "\x12": "search",
  "\x15": "killStart",
  "\x17": "killWord",
  "\x19": "yank",
  "\x1a": "suspend",
  "\x7f": "backspace",
};

/** By what stands behind ESC. */
const ESCAPES: Readonly<Record<string, KeyName>> = {
  ...{ "[A": "up", "[B": "down", "[C": "right", "[D": "left", "[H": "home", "[F": "end" },
  ...{ "OA": "up", "OB": "down", "OC": "right", "OD": "left", "OH": "home", "OF": "end" },
  ...{ "[1~": "home", "[7~": "home", "[4~": "end", "[8~": "end", "[3~": "delete" },
  ...{ "Oc": "wordRight", "Od": "wordLeft", "OM": "enter" },
  ...{ "b": "wordLeft", "f": "wordRight", "d": "killWordRight", "\x7f": "killWord", "\b": "killWord" },
  ...{ "\r": "newline", "\n": "newline" },
  // Enter with Shift, Alt or Ctrl, on terminals that tell.
  ...{ "[13;2u": "newline", "[13;3u": "newline", "[13;5u": "newline", "[13u": "enter" },
  ...{ "[27;2;13~": "newline", "[27;3;13~": "newline", "[27;5;13~": "newline" },
};

/** A key that was pressed with Shift, Alt, Ctrl or Command: where that means something else than the key alone. */
const WITH: Readonly<Record<string, KeyName>> = {
  "[C": "wordRight",
  "[D": "wordLeft",
  "[3~": "killWordRight",
};
const WITH_KEY = /^\[(?:1;(\d+)([A-DFH])|(\d+);(\d+)~)$/;
const SHIFT = "2";

const LEAD = "\\x1b";
const ESCAPE = new RegExp(`^${LEAD}((?:\\[[0-?]*[ -/]*[@-~])|O[^]|[^])`, "u");
const OPEN_ESCAPE = new RegExp(`^${LEAD}(?:\\[[0-?]*[ -/]*|O)?$`);
const PLAIN = new RegExp(`^[^\\0-\\x1f\\x7f]+`);
const PASTE_START = "\x1b[200~";
const PASTE_END = "\x1b[201~";
const INTERRUPT = "\x03";

/** Finds keys in what a terminal sends, which comes in pieces of any length. What is pasted comes as one text. */
export class KeyReader {
  /** What is not whole yet. */
  #rest = "";

  /** Returns the keys that are whole now. */
  read(typed: string): Key[] {
    // The end of a paste may never come.
    if (typed === INTERRUPT) this.#rest = "";
    this.#rest += typed;
    const keys: Key[] = [];
    for (let key = this.#next(); key !== null; key = this.#next()) if (key !== "nothing") keys.push(key);
    return keys;
  }

  /** `null` if no key is whole. */
  #next(): Key | "nothing" | null {
    const rest = this.#rest;
    if (rest === "") return null;
    if (rest.startsWith(PASTE_START)) return this.#paste();
    const [plain] = PLAIN.exec(rest) ?? [];
    if (plain !== undefined) {
      this.#take(plain.length);
      // Characters above ASCII that steer terminals.
      return { text: stripControls(plain) };
    }
    if (rest[0] !== "\x1b") {
      this.#take(1);
      return named(CONTROLS[rest[0]!]);
    }
    // Two of them: the first one was pressed alone.
    if (rest[1] === "\x1b") {
      this.#take(1);
      return "nothing";
    }
    if (OPEN_ESCAPE.test(rest)) return null;
    const [whole = rest, code = ""] = ESCAPE.exec(rest) ?? [];
    this.#take(whole.length);
    return named(ESCAPES[code] ?? pressedWith(code));
  }

  #paste(): Key | null {
    const end = this.#rest.indexOf(PASTE_END);
    if (end < 0) return null;
    const pasted = this.#rest.slice(PASTE_START.length, end);
    this.#take(end + PASTE_END.length);
    return { text: plainText(pasted) };
  }

  #take(length: number): void {
    this.#rest = this.#rest.slice(length);
  }
}

function named(name: KeyName | undefined): Key | "nothing" {
  return name === undefined ? "nothing" : { name };
}

/** A number behind the semicolon says what else was pressed. */
function pressedWith(code: string): KeyName | undefined {
  const [, letterWith, letter, number, numberWith] = WITH_KEY.exec(code) ?? [];
  const plain = letter === undefined ? `[${number}~` : `[${letter}`;
  return ((letterWith ?? numberWith) === SHIFT ? undefined : WITH[plain]) ?? ESCAPES[plain];
}

/** A terminal pastes line ends as Enter. */
function plainText(pasted: string): string {
  return stripControls(pasted.replace(/\r\n?/g, "\n")).replace(/[\v\f]/g, "\n");
}
