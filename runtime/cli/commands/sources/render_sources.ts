import type { KeptSource } from "../../../../schemas/step/sources.ts";
import { sourceRow } from "../../../state/sessions/read_sources.ts";
import { jsonLine } from "../../../text/json_line.ts";
import { onOneLine } from "../../../text/strip_controls.ts";
import type { SourceForm } from "../../args/options/agent_options.ts";

/** Words for signs that mean something in TeX. Braces count for BibTeX even behind a backslash, so they get words too. */
const TEX_WORDS: Readonly<Record<string, string>> = {
  "\\": "{\\textbackslash}",
  "{": "{\\textbraceleft}",
  "}": "{\\textbraceright}",
  "~": "{\\textasciitilde}",
  "^": "{\\textasciicircum}",
  ...Object.fromEntries([..."$&#_%"].map((sign) => [sign, `\\${sign}`])),
};

/** Renders the sources of a session. */
export function renderSources(session: string, sources: readonly KeptSource[], form: SourceForm): string {
  switch (form) {
    case "text":
      return sources.map(({ number, title, url }) => `[${number}] ${plain(title || url)} - ${plain(url)}\n`)
        .join("");
    case "json":
      return jsonLine({ session, sources: sources.map(sourceRow) });
    case "bibtex":
      return sources.map(toBibtex).join("\n");
    case "csl-json":
      return `${JSON.stringify(sources.map(toCsl), null, 2)}\n`;
  }
}

/** An entry of BibTeX. The second braces of the title keep its letters as they are. */
function toBibtex(source: KeptSource): string {
  const { number, title, url } = source;
  const seen = seenOn(source);
  const fields = [
    ["title", `{${texOf(plain(title || url))}}`],
    ["howpublished", `\\url{${verbatim(url)}}`],
    ["url", verbatim(url)],
    ...seen === null ? [] : [["urldate", seen], ["note", `Accessed ${seen}`]],
  ];
  return `@misc{source${number},\n${fields.map(([name, value]) => `  ${name} = {${value}},\n`).join("")}}\n`;
}

function texOf(text: string): string {
  return text.replace(/[\\{}~^$&#_%]/g, (sign) => TEX_WORDS[sign]!);
}

/** An address within `\url`: what would end it, or is no sign of an address, is encoded. */
function verbatim(url: string): string {
  return plain(url).replace(/[\\{}^`"<>|\s]/gu, (sign) => encodeURIComponent(sign));
}

/** An item of CSL-JSON. */
function toCsl(source: KeptSource) {
  const { number, title, url } = source;
  const seen = seenOn(source);
  return {
    id: `source${number}`,
    type: "webpage",
    "citation-number": String(number),
    title: plain(title || url),
    URL: plain(url),
    ...seen !== null && { accessed: { "date-parts": [seen.split("-").map(Number)] } },
  };
}

/** The day on which the page was read, or else found: `2026-01-31`, in UTC. */
function seenOn({ opened, found }: KeptSource): string | null {
  return (opened ?? found)?.slice(0, 10) ?? null;
}

/** Strangers wrote it: what steers a terminal or turns the direction of a line is left out, or shown as its code. */
function plain(text: string): string {
  return onOneLine(text.replace(/\s+/gu, " ")).trim();
}
