import type { Message } from "../../../schemas/agent/chat.ts";

/** How a text stands to all that the model was shown. */
export type Quotation =
  /** It is there word by word. */
  | "same"
  /** It is there but for signs, escapes or the numbers of lines. */
  | "alike"
  /** It is not there. */
  | null;

/** The characters that texts of JSON, HTML and programs write in another way. */
const ESCAPED =
  /\\u([\da-f]{4})|\\x([\da-f]{2})|&#x([\da-f]{1,6});|&#(\d{1,7});|&(lt|gt|quot|apos|amp);|\\([nrt"'\\\/])/gi;
const ENTITIES: Readonly<Record<string, string>> = { lt: "<", gt: ">", quot: '"', apos: "'", amp: "&" };
/** What tools put before the lines of a file. */
const LINE_NUMBER = /^[ \t>]*\d+[ \t]*(?:[|:→│\t-]|$)[ \t]?/gm;
/** Texts may be escaped in texts that are escaped. */
const TIMES = 3;

/** A text of a message, folded in each way in which tools may have written it. */
interface Folded {
  /** Without blanks. */
  blanks: readonly string[];
  /** Letters and digits alone. */
  signs: readonly string[];
}

/** Messages do not change: each is folded once. */
const known = new WeakMap<Message, Folded>();

/**
 * Says whether a text was shown to the model in a request, a result or a summary: then it may be a quotation. Blanks do
 * not count.
 */
export function quotationOf(text: string, messages: readonly Message[]): Quotation {
  const wanted = foldBlanks(text);
  if (wanted === "") return null;
  const shown = messages.map(foldedOf);
  if (shown.some(({ blanks }) => blanks.some((one) => one.includes(wanted)))) return "same";
  const lines = unescape(text).split("\n").map(foldSigns).filter((line) => line !== "");
  // The parts of a file may come in several results.
  const isAlike = lines.every((line) => shown.some(({ signs }) => signs.some((one) => one.includes(line))));
  return isAlike ? "alike" : null;
}

function foldedOf(message: Message): Folded {
  const folded = known.get(message) ?? fold(shownIn(message));
  known.set(message, folded);
  return folded;
}

function fold(text: string): Folded {
  const plain = [text, withoutNumbers(text)];
  const ways = [...new Set([...plain, ...plain.map(unescape)])];
  return { blanks: [...new Set(ways.map(foldBlanks))], signs: [...new Set(ways.map(foldSigns))] };
}

/** What of a message comes neither from the model nor from the program. */
function shownIn(message: Message): string {
  if (message.role === "tool") return message.content;
  if (message.role !== "user" || message.kind === "remark") return "";
  return message.content.map((part) => part.type === "text" ? part.text : "").join("\n");
}

function withoutNumbers(text: string): string {
  return text.replace(LINE_NUMBER, "");
}

function foldBlanks(text: string): string {
  return text.replace(/[\s\u200b-\u200f\u2060\ufeff\u00ad]+/g, "");
}

/** Letters and digits alone, in one case. */
function foldSigns(text: string): string {
  return text.normalize("NFKC").toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");
}

function unescape(text: string): string {
  let [read, times] = [text, 0];
  while (times++ < TIMES) {
    const next = read.replace(
      ESCAPED,
      (all, u: string, x: string, hex: string, decimal: string, entity: string, sign: string) => {
        if (entity) return ENTITIES[entity.toLowerCase()]!;
        if (sign) return { n: "\n", r: "\n", t: "\t" }[sign] ?? sign;
        const code = decimal ? Number(decimal) : parseInt(u ?? x ?? hex, 16);
        return code <= 0x10ffff ? String.fromCodePoint(code) : all;
      },
    );
    if (next === read) break;
    read = next;
  }
  return read;
}
