import { onOneLine } from "./strip_controls.ts";

/** Name of the mark around what strangers wrote on the network. */
export const OUTSIDE_MARK = "web-content";

/**
 * Puts foreign text between marks that name it.
 *
 * @param name Name of the mark, in small letters; it gets a number if the text itself ends such a mark, also in letters
 * that only look the same
 * @param attributes Facts about the text, for the first mark
 */
export function markBlock(
  name: string,
  content: string,
  attributes: Readonly<Record<string, string>> = {},
): string {
  const plain = undisguised(content);
  let mark = name;
  for (let number = 2; plain.includes(`</${mark}`); number++) mark = `${name}-${number}`;
  const said = Object.entries(attributes).map(([key, value]) =>
    ` ${key}=${JSON.stringify(onOneLine(value))}`
  );
  const end = content === "" || content.endsWith("\n") ? "" : "\n";
  return `<${mark}${said.join("")}>\n${content}${end}</${mark}>`;
}

/** Takes the mark of the network off a text, so that what is inside can be cut; both marks are `""` if there is none. */
export function takeMarkOff(text: string): { start: string; content: string; end: string } {
  const [start = "", mark = ""] = OUTSIDE_START.exec(text) ?? [];
  const end = `</${mark}>`;
  if (start === "" || !text.endsWith(end)) return { start: "", content: text, end: "" };
  return { start, content: text.slice(start.length, -end.length), end };
}

const OUTSIDE_START = new RegExp(`^<(${OUTSIDE_MARK}(?:-\\d+)?)(?: [^\\n]*)?>\\n`);

/** Letters of other scripts that look like those of a mark's name, and brackets that are taken for those of marks. */
const LOOK_ALIKES: Readonly<Record<string, string>> = Object.fromEntries(
  [
    ...["aаɑαᴀ", "bьвʙ", "cсϲᴄ", "eеεᴇҽ", "nпηոɴ", "oоοօᴏ", "tтτᴛ", "wԝѡωաᴡ"],
    ...["<‹〈⟨❮«❬⟪《[{(˂ᐸ", "/⁄∕⧸╱⟋", "-‐‑‒–—―−_‧·"],
  ].flatMap(([is = "", ...looks]) => looks.map((look) => [look, is])),
);
const ANY_LOOK_ALIKE = new RegExp(`[${Object.keys(LOOK_ALIKES).join("").replace("[", "\\[")}]`, "g");
/** Signs as HTML, addresses and programs write them, also several times over. */
const CODED = [
  [/&(?:amp;)*(?:lt|#0*60|#x0*3c|lbrack|lsqb|#0*91|#x0*5b);?|%(?:25)*3c|\\+(?:u\{?0*|x)3c\}?/gi, "<"],
  [/&(?:amp;)*(?:sol|#0*47|#x0*2f);?|%(?:25)*2f|\\+(?:u\{?0*|x)2f\}?/gi, "/"],
] as const;

/** Returns a text without what can disguise the end of a mark: case, blanks, signs that are not seen, look-alikes. */
function undisguised(content: string): string {
  let plain = content.normalize("NFKD");
  for (const [coded, sign] of CODED) plain = plain.replace(coded, sign);
  return plain.replace(/[\p{Cf}\p{M}\p{Z}\p{Cc}\\]+/gu, "").toLowerCase()
    .replace(ANY_LOOK_ALIKE, (sign) => LOOK_ALIKES[sign]!);
}
