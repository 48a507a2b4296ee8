/** Returns what is in a code fence, if the whole text is one. */
export function outOfFence(text: string): string {
  const whole = text.trim();
  if (whole.length < 6 || !whole.startsWith("```") || !whole.endsWith("```")) return text;
  return whole.slice(3, -3).replace(/^(?:[\w-]*[ \t]*\r?\n|json\b)/, "").trim();
}

/** Escapes control characters, such as line breaks, that stand bare in the texts of JSON. */
export function escapeControls(text: string): string {
  return text.replace(
    /"(?:[^"\\]|\\[\s\S])*"/g,
    (quoted) => quoted.replace(/\p{Cc}/gu, (control) => JSON.stringify(control).slice(1, -1)),
  );
}

/** The words of Python that mean the same as a word of JSON. */
const WORDS: Readonly<Record<string, string>> = { True: "true", False: "false", None: "null" };

/** Writes texts in single quotes, and the words of Python beside them, as JSON. */
export function closeQuotes(text: string): string {
  return text.replace(
    /"(?:[^"\\]|\\[\s\S])*"|'((?:[^'\\]|\\[\s\S])*)'|\b(?:True|False|None)\b/g,
    (token, single: string | undefined) => single === undefined ? WORDS[token] ?? token : quote(single),
  );
}

function quote(inner: string): string {
  const escaped = inner
    .replace(/\\[\s\S]|"|\p{Cc}/gu, (token) => {
      if (token === "\\'") return "'";
      return token === '"' ? '\\"' : token.length === 1 ? JSON.stringify(token).slice(1, -1) : token;
    });
  return `"${escaped}"`;
}

/** Cuts a text into the JSON objects and lists that it is made of; `null` if there is anything else in it. */
export function jsonValues(text: string): string[] | null {
  const values: string[] = [];
  for (let at = skipBlanks(text, 0); at < text.length; at = skipBlanks(text, at)) {
    const end = endOfJson(text, at);
    if (end < 0) return null;
    values.push(text.slice(at, end));
    at = end;
  }
  return values;
}

/** Returns where an object or a list of JSON that begins at a place ends, -1 if none begins or it is not closed. */
export function endOfJson(text: string, start: number): number {
  if (text[start] !== "{" && text[start] !== "[") return -1;
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const char = text[at]!;
    if (char === '"') {
      at = endOfString(text, at);
      if (at < 0) return -1;
    } else if (char === "{" || char === "[") depth++;
    else if ((char === "}" || char === "]") && --depth === 0) return at + 1;
  }
  return -1;
}

function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === "\\") at++;
    else if (text[at] === '"') return at;
  }
  return -1;
}

function skipBlanks(text: string, at: number): number {
  while (at < text.length && /\s/.test(text[at]!)) at++;
  return at;
}
