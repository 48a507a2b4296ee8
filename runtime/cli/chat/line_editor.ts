import { orAborted } from "../../wait/or_aborted.ts";
import type { Keyboard } from "../io/keyboard.ts";
import { type Draft, draftOf, edit, type EditName, EMPTY, insert } from "./edit.ts";
import { type History, searchBack } from "./history.ts";
import { type Key, type KeyName, KeyReader } from "./keys.ts";
import { cutPicture, type Frame, layOut, moveByRow, type Picture } from "./lay_out.ts";

/** How reading at a prompt ended. */
export type Entry =
  | { kind: "text"; text: string }
  /** Ctrl-C where nothing is written. */
  | { kind: "interrupt" }
  /** Ctrl-Z; what is written stays for the next time. */
  | { kind: "suspend" }
  /** Ctrl-D where nothing is written, the end of the terminal, or the signal. */
  | { kind: "end" };

/** The terminal of a {@linkcode LineEditor}. */
export interface EditorTerminal {
  keyboard: Keyboard;
  show(text: string): Promise<void>;
  columns(): number;
}

/** What a {@linkcode LineEditor} shows and offers. */
export interface EditorStyle {
  prompt: string;
  /** Before further lines. */
  indent: string;
  /** Around the prompt. */
  paint(prompt: string): string;
  /** What a text that is being written may become. */
  complete(text: string): readonly string[];
}

/** The terminal marks what is pasted. */
const MARK_PASTES = "\x1b[?2004h";
const LEAVE_PASTES = "\x1b[?2004l";
const CLEAR_BELOW = "\x1b[J";
const CLEAR_ALL = "\x1b[H\x1b[2J";
const NOTHING: Picture = { rows: [], row: 0, column: 0 };

/**
 * Reads texts of one or more lines at a terminal, with a history. Enter ends a text, unless a backslash stands before it; then,
 * and with Alt-Enter or Ctrl-J, a new line begins. The terminal is raw only while a text is read.
 */
export class LineEditor {
  readonly #terminal: EditorTerminal;
  readonly #style: EditorStyle;
  readonly #history: History;
  readonly #reader = new KeyReader();
  /** Keys that were typed behind the end of a text. */
  #waiting: Key[] = [];
  #draft: Draft = EMPTY;
  #shown: Picture = NOTHING;
  #killed = "";
  /** Which entry of the history is being edited, counted from the newest; 0 is the new text. */
  #back = 0;
  /** What is looked for in the history; `null` while nothing is. */
  #wanted: string | null = null;
  /** The new text, while an older one is shown. */
  #kept: Draft = EMPTY;

  constructor(terminal: EditorTerminal, style: EditorStyle, history: History) {
    this.#terminal = terminal;
    this.#style = style;
    this.#history = history;
  }

  /** Reads one text. */
  async read(signal: AbortSignal): Promise<Entry> {
    const { keyboard, show } = this.#terminal;
    keyboard.setRaw(true, { signals: false });
    const onResize = () => void this.#draw();
    try {
      await show(MARK_PASTES);
      Deno.addSignalListener("SIGWINCH", onResize);
      await this.#draw();
      return await this.#readKeys(signal);
    } finally {
      Deno.removeSignalListener("SIGWINCH", onResize);
      await show(`${LEAVE_PASTES}${this.#below()}`);
      this.#shown = NOTHING;
      keyboard.setRaw(false);
    }
  }

  async #readKeys(signal: AbortSignal): Promise<Entry> {
    for (;;) {
      for (let key = this.#waiting.shift(); key !== undefined; key = this.#waiting.shift()) {
        const entry = await this.#press(key);
        if (entry !== null) return entry;
      }
      await this.#draw();
      const typed = await orAborted(this.#terminal.keyboard.read(), signal);
      if (typed === null) return { kind: "end" };
      this.#waiting.push(...this.#reader.read(typed));
    }
  }

  /** Returns what the text has become if the key ends it. */
  async #press(key: Key): Promise<Entry | null> {
    if (this.#wanted !== null && this.#search(this.#wanted, key)) return null;
    if ("text" in key) {
      this.#draft = insert(this.#draft, key.text);
      return null;
    }
    const end = KEY_ENDS[key.name]?.(this.#draft) ?? null;
    if (end !== null) return await this.#end(end);
    await this.#apply(key.name);
    return null;
  }

  async #end(entry: Entry | "cleared"): Promise<Entry | null> {
    if (entry !== "cleared" && entry.kind === "suspend") return entry;
    // The whole text stays on the screen.
    await this.#draw(this.#draft.text.length);
    if (entry === "cleared") await this.#terminal.show(`^C${this.#below()}`);
    if (entry === "cleared") this.#shown = NOTHING;
    if (entry !== "cleared" && entry.kind === "text") this.#history.add(entry.text);
    this.#draft = EMPTY;
    this.#back = 0;
    return entry === "cleared" ? null : entry;
  }

  async #apply(name: KeyName): Promise<void> {
    switch (name) {
      case "enter":
        // A backslash stood before it.
        this.#draft = insert(edit(this.#draft, "backspace").draft, "\n");
        return;
      case "newline":
        this.#draft = insert(this.#draft, "\n");
        return;
      case "up":
      case "down": {
        const by = name === "up" ? -1 : 1;
        const cursor = moveByRow(this.#draft, by, this.#frame());
        if (cursor === null) this.#recall(-by);
        else this.#draft = { ...this.#draft, cursor };
        return;
      }
      case "older":
        return this.#recall(1);
      case "newer":
        return this.#recall(-1);
      case "yank":
        this.#draft = insert(this.#draft, this.#killed);
        return;
      case "complete":
        return await this.#complete();
      case "search":
        this.#wanted = "";
        return;
      case "redraw":
        await this.#terminal.show(CLEAR_ALL);
        this.#shown = NOTHING;
        return;
      case "interrupt":
      case "suspend":
        return;
      default:
        return this.#edit(name === "deleteOrEnd" ? "delete" : name);
    }
  }

  /** Takes a key while something is looked for; returns false if the key ends the search and means what it always means. */
  #search(wanted: string, key: Key): boolean {
    if ("text" in key) this.#find(`${wanted}${key.text}`, this.#back);
    else if (key.name === "search") this.#find(wanted, this.#back + 1);
    else if (key.name === "backspace") this.#find([...wanted].slice(0, -1).join(""), 1);
    else {
      this.#wanted = null;
      if (key.name !== "interrupt") return false;
      this.#recall(-this.#back);
    }
    return true;
  }

  #find(wanted: string, from: number): void {
    this.#wanted = wanted;
    const back = wanted === "" ? null : searchBack(this.#history, wanted, from);
    if (back !== null) this.#recall(back - this.#back);
  }

  #edit(name: EditName): void {
    const { draft, killed } = edit(this.#draft, name);
    this.#draft = draft;
    if (name.startsWith("kill") && killed !== "") this.#killed = killed;
  }

  /** Shows an older or a newer entry. */
  #recall(by: number): void {
    const { entries } = this.#history;
    const back = this.#back + by;
    if (back < 0 || back > entries.length) return;
    if (this.#back === 0) this.#kept = this.#draft;
    this.#back = back;
    this.#draft = back === 0 ? this.#kept : draftOf(entries.at(-back)!);
  }

  async #complete(): Promise<void> {
    const { text, cursor } = this.#draft;
    if (cursor < text.length) return;
    const offers = this.#style.complete(text);
    const [first] = offers;
    if (first === undefined) return;
    const common = offers.reduce((start, one) => {
      let length = 0;
      while (length < start.length && start[length] === one[length]) length++;
      return start.slice(0, length);
    });
    if (common.length > text.length) this.#draft = draftOf(common);
    else if (offers.length > 1) {
      await this.#terminal.show(`${this.#below()}${offers.map((one) => one.trim()).join("  ")}\n`);
      this.#shown = NOTHING;
    }
  }

  #frame(): Frame {
    const { prompt, indent } = this.#style;
    const lead = this.#wanted === null ? prompt : `search ${this.#wanted}: `;
    return { columns: this.#terminal.columns(), prompt: lead, indent };
  }

  /** Shows the draft in the place of what was shown before. */
  async #draw(cursor = this.#draft.cursor): Promise<void> {
    const { keyboard, show } = this.#terminal;
    const frame = this.#frame();
    const start = this.#toStart(frame.columns);
    const picture = cutPicture(layOut({ ...this.#draft, cursor }, frame), keyboard.rows() - 1);
    this.#shown = picture;
    const { prompt } = frame;
    const rows = picture.rows.map(({ text }, at) =>
      at === 0 && text.startsWith(prompt) ? this.#style.paint(prompt) + text.slice(prompt.length) : text
    );
    const up = picture.rows.length - 1 - picture.row;
    const right = picture.column > 0 ? `\x1b[${picture.column}C` : "";
    await show(`${start}${CLEAR_BELOW}${rows.join("\r\n")}\r${up > 0 ? `\x1b[${up}A` : ""}${right}`);
  }

  /** Returns what leads to the start of what is shown. A terminal that became narrower has folded its rows. */
  #toStart(columns: number): string {
    const { rows, row, column } = this.#shown;
    const folded = rows.slice(0, row).reduce(
      (sum, { width }) => sum + Math.max(1, Math.ceil(width / columns)),
      0,
    );
    const above = folded + Math.floor(column / columns);
    return `\r${above > 0 ? `\x1b[${above}A` : ""}`;
  }

  /** Returns what leads below all that is shown. */
  #below(): string {
    const { rows, row } = this.#shown;
    if (rows.length === 0) return "";
    const down = rows.length - 1 - row;
    return `${down > 0 ? `\x1b[${down}B` : ""}\r\n`;
  }
}

/** Keys that may end a text, or throw it away. */
const KEY_ENDS: { readonly [Name in KeyName]?: (draft: Draft) => Entry | "cleared" | null } = {
  enter: ({ text, cursor }) => cursor === text.length && text.endsWith("\\") ? null : { kind: "text", text },
  interrupt: ({ text }) => text === "" ? { kind: "interrupt" } : "cleared",
  deleteOrEnd: ({ text }) => text === "" ? { kind: "end" } : null,
  suspend: () => ({ kind: "suspend" }),
};
