import { citedNumbers, uncitedFigures } from "../../engine/web/sources/citations.ts";
import type { Source } from "../../engine/web/sources/source_book.ts";

/** Longest title in the name of a file, in characters. */
const NAME_CHARS = 50;
/** Paragraphs and numbers that a warning shows at most. */
const SHOWN = 3;
const SHOWN_NUMBERS = 20;
const SHOWN_CHARS = 60;

/** A report as its file has it. */
export interface Report {
  title: string;
  content: string;
  confidence: string;
  /** When it is made, in local time. */
  made: Date;
  /** The sources that it cites, by number. */
  cited: readonly Source[];
}

/** What a report cites, and what is wrong with it. */
export interface Citations {
  cited: Source[];
  /** Sentences for the person and the model. */
  warnings: string[];
}

/** Looks up what a text cites, and finds what a reader could not check. */
export function checkCitations(content: string, sources: readonly Source[]): Citations {
  const known = new Set(sources.map(({ number }) => number));
  const isSource = (number: number) => known.has(number);
  const numbers = citedNumbers(content, isSource);
  const told = new Set(numbers);
  const cited = sources.filter(({ number }) => told.has(number));
  const unknown = numbers.filter((number) => !isSource(number));
  const unopened = cited.filter(({ charCount }) => charCount === 0).map(({ number }) => number);
  const bare = uncitedFigures(content, isSource);
  return {
    cited,
    warnings: [
      ...unknown.length === 0 ? [] : [
        `The report cites ${
          marks(unknown)
        }, and there is no such source: cite the numbers that searches gave`,
      ],
      ...unopened.length === 0
        ? []
        : [`The report cites ${marks(unopened)} without that the page was opened: only its snippet was seen`],
      ...bare.length === 0 ? [] : [
        `${
          bare.length === 1 ? "A paragraph states" : `${bare.length} paragraphs state`
        } figures and cites no source: ` +
        bare.slice(0, SHOWN).map(startOf).join(", "),
      ],
    ],
  };
}

/** The document's name: the time, and the title as far as its signs may stand in a name. */
export function reportName({ title, made }: Pick<Report, "title" | "made">): string {
  const safe = [...title].filter((sign) => /[\p{L}\p{N} _-]/u.test(sign)).slice(0, NAME_CHARS).join("")
    .trim();
  const [date = "", time = ""] = localTime(made).split("T");
  return `${date.replaceAll("-", "")}_${time.replaceAll(":", "")}_${safe}.md`;
}

/** The document's layout. The confidence, and a line for each source when it is shown, are added to it. */
export function reportText({ title, content, confidence, made, cited }: Report): string {
  const head = `# ${oneLine(title)}\n\n*Created: ${
    localTime(made).replace("T", " ")
  }*\n\n*Confidence: ${confidence}*\n\n`;
  const lines = cited.map(({ number, title, url }) =>
    `[${number}] ${oneLine(title || url)} - ${oneLine(url)}`
  );
  // Two blanks make Markdown keep the lines apart.
  const sources = lines.length === 0 ? "" : `---\n\n## Sources\n\n${lines.join("  \n")}\n`;
  return `${head}${content}\n\n${sources}`;
}

/** ISO 8601 in local time, without its zone: seconds are the last of it. */
export function localTime(time: Date): string {
  const part = (value: number, digits = 2) => String(value).padStart(digits, "0");
  return `${part(time.getFullYear(), 4)}-${part(time.getMonth() + 1)}-${part(time.getDate())}T` +
    `${part(time.getHours())}:${part(time.getMinutes())}:${part(time.getSeconds())}`;
}

/** A title of a stranger's page must not begin a line, nor turn the direction of one. */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]+/gu, " ").trim();
}

function marks(numbers: readonly number[]): string {
  const shown = numbers.slice(0, SHOWN_NUMBERS).map((number) => `[${number}]`).join(", ");
  return numbers.length > SHOWN_NUMBERS ? `${shown}, …` : shown;
}

function startOf(paragraph: string): string {
  const signs = [...oneLine(paragraph)];
  return JSON.stringify(
    signs.length > SHOWN_CHARS ? `${signs.slice(0, SHOWN_CHARS).join("")}…` : signs.join(""),
  );
}
