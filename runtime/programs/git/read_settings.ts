/** One setting of a file of git. */
export interface GitSetting {
  /** In small letters: `user`, `includeif`. */
  section: string;
  /** The part of the section in quotes, `null` if there is none. */
  subsection: string | null;
  /** In small letters: `name`, `path`. */
  name: string;
  /** `null` for a name alone, which means `true`. */
  value: string | null;
}

const END = "\n";
const KEY = /[A-Za-z0-9-]/;
const ESCAPES: Readonly<Record<string, string>> = {
  n: "\n",
  t: "\t",
  b: "\b",
  "\\": "\\",
  '"': '"',
  "\n": "",
};

/**
 * Reads the settings of a file of git, in their order, as git reads it: quotes, escapes, comments, lines that go on in
 * the next one. A line that git would not understand is left out.
 */
export function readGitSettings(text: string): GitSetting[] {
  const reader = new Reader(text.replace(/^\uFEFF/, "").replace(/\r\n/g, END) + END);
  const settings: GitSetting[] = [];
  let head: { section: string; subsection: string | null } | null = null;
  while (!reader.isAtEnd) {
    const char = reader.next();
    if (isSpace(char)) continue;
    if (char === "#" || char === ";") reader.skipLine();
    else if (char === "[") {
      head = readHead(reader);
      if (head === null) reader.skipLine();
    } else {
      const setting = /[A-Za-z]/.test(char) ? readSetting(char, reader) : null;
      if (setting === null) reader.skipLine();
      else if (head !== null) settings.push({ ...head, ...setting });
    }
  }
  return settings;
}

class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#text.length;
  }

  /** Returns the next character; behind the end, the end of a line. */
  next(): string {
    return this.#text[this.#at++] ?? END;
  }

  /** Goes to the end of the line that holds the last character. */
  skipLine(): void {
    const end = this.#text.indexOf(END, Math.max(0, this.#at - 1));
    this.#at = end < 0 ? this.#text.length : end + 1;
  }
}

/** The rest of `[section "subsection"]`, or of `[section.subsection]`; `null` if it is broken. */
function readHead(reader: Reader): { section: string; subsection: string | null } | null {
  let base = "";
  for (let char = reader.next();; char = reader.next()) {
    if (char === "]") {
      const [section = "", ...rest] = base.split(".");
      return { section, subsection: rest.length === 0 ? null : rest.join(".") };
    }
    if (isSpace(char)) return readSubsection(base, char, reader);
    if (!KEY.test(char) && char !== ".") return null;
    base += char.toLowerCase();
  }
}

function readSubsection(section: string, before: string, reader: Reader) {
  let char = before;
  while (isSpace(char)) {
    if (char === END) return null;
    char = reader.next();
  }
  if (char !== '"') return null;
  let subsection = "";
  for (char = reader.next(); char !== '"'; char = reader.next()) {
    if (char === "\\") char = reader.next();
    if (char === END) return null;
    subsection += char;
  }
  return reader.next() === "]" ? { section, subsection } : null;
}

function readSetting(first: string, reader: Reader): { name: string; value: string | null } | null {
  let name = first;
  let char = reader.next();
  for (; KEY.test(char); char = reader.next()) name += char;
  name = name.toLowerCase();
  while (char === " " || char === "\t") char = reader.next();
  if (char === END) return { name, value: null };
  if (char !== "=") return null;
  const value = readValue(reader);
  return value === null ? null : { name, value };
}

/** `null` if git does not understand it. */
function readValue(reader: Reader): string | null {
  let value = "";
  let isQuoted = false;
  // Spaces at the end count only in quotes.
  let kept = 0;
  for (let char = reader.next();; char = reader.next()) {
    if (char === END) return isQuoted ? null : value.slice(0, kept);
    if (isSpace(char) && !isQuoted) {
      if (value !== "") value += char;
      continue;
    }
    if (!isQuoted && (char === "#" || char === ";")) {
      reader.skipLine();
      return value.slice(0, kept);
    }
    if (char === '"') isQuoted = !isQuoted;
    else if (char === "\\") {
      const escaped = ESCAPES[reader.next()];
      if (escaped === undefined) return null;
      value += escaped;
    } else value += char;
    kept = value.length;
  }
}

function isSpace(char: string): boolean {
  return char === " " || char === "\t" || char === "\r" || char === END;
}
