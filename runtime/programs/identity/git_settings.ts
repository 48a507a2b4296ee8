/** One setting of a file of git. */
export interface GitSetting {
  /** Section and name in small letters: `user.name`, `includeif.path`. */
  key: string;
  /** The part of the section in quotes, `null` if there is none. */
  condition: string | null;
  value: string;
}

const SECTION = /^\s*\[\s*([\w.-]+)(?:\s+"((?:[^"\\]|\\.)*)")?\s*\]/;
const SETTING = /^\s*([A-Za-z][\w-]*)\s*(?:=\s*(.*))?$/s;
const ESCAPES: Readonly<Record<string, string>> = { n: "\n", t: "\t", b: "\b" };

/** Reads the settings of a file of git, in their order. What git would not understand is left out. */
export function parseGitSettings(text: string): GitSetting[] {
  const settings: GitSetting[] = [];
  let section = "";
  let condition: string | null = null;
  // A backslash at the end of a line joins it with the next one.
  for (const line of text.replace(/^\uFEFF/, "").replace(/\\\r?\n/g, "").split(/\r?\n/)) {
    const head = SECTION.exec(line);
    if (head) {
      section = head[1]!.toLowerCase();
      condition = head[2]?.replace(/\\(.)/g, "$1") ?? null;
    }
    const setting = SETTING.exec(line.slice(head?.[0].length ?? 0));
    if (!setting || section === "") continue;
    const [, name = "", value = "true"] = setting;
    settings.push({ key: `${section}.${name.toLowerCase()}`, condition, value: plainValue(value) });
  }
  return settings;
}

/** Takes quotes, escapes and a comment away. */
function plainValue(raw: string): string {
  let value = "";
  let kept = 0;
  let isQuoted = false;
  for (let at = 0; at < raw.length; at++) {
    const char = raw[at]!;
    if (char === "\\") {
      const next = raw[++at] ?? "";
      value += ESCAPES[next] ?? next;
    } else if (char === '"') isQuoted = !isQuoted;
    else if ((char === "#" || char === ";") && !isQuoted) break;
    else value += char;
    // Spaces at the end count only in quotes.
    if (isQuoted || !/\s/.test(char)) kept = value.length;
  }
  return value.slice(0, kept);
}
