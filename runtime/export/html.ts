/** A piece of HTML: what was put into it is escaped. */
export class Html {
  readonly text: string;

  /** @param text HTML that is safe as it is */
  constructor(text: string) {
    this.text = text;
  }
}

/** What can be put into a piece of HTML; texts are escaped. */
export type HtmlPart = Html | string | number | readonly HtmlPart[];

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
  "`": "&#96;",
};

/** Makes a piece of HTML of a template: what the template itself does not say is escaped. */
export function markup(template: TemplateStringsArray, ...parts: readonly HtmlPart[]): Html {
  return new Html(
    template.map((text, at) => `${text}${at < parts.length ? shown(parts[at]!) : ""}`).join(""),
  );
}

function shown(part: HtmlPart): string {
  if (part instanceof Html) return part.text;
  if (typeof part === "object") return part.map(shown).join("");
  return String(part).replace(/[&<>"'`]/g, (sign) => ENTITIES[sign]!);
}
