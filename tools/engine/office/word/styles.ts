import type { OfficePackage } from "../package/package.ts";
import { localAttribute } from "../package/xml.ts";

const MAX_ANCESTORS = 10;

/** What a paragraph gets from its style. */
export interface ParagraphStyle {
  /** Level of its heading, from 0. */
  outline?: number;
  list?: string;
  level?: number;
}

/** Returns the properties of a style by its id; empty for an unknown one. */
export type ParagraphStyles = (id: string | undefined) => ParagraphStyle;

interface StoredStyle extends ParagraphStyle {
  parent?: string;
}

/** Reads the styles of a Word document that tell headings and lists; styles inherit from others. */
export async function readParagraphStyles(
  file: OfficePackage,
  part: string | undefined,
): Promise<ParagraphStyles> {
  const styles = new Map<string, StoredStyle>();
  let style: StoredStyle | undefined;
  if (part !== undefined) {
    await file.read(part, {
      open(name, attributes) {
        const value = localAttribute(attributes, "val") ?? "";
        if (name === "style") styles.set(localAttribute(attributes, "styleId") ?? "", style = {});
        else if (style) describeStyle(style, name, value);
      },
      close(name) {
        if (name === "style") style = undefined;
      },
    });
  }
  return (id) => id === undefined ? {} : inherited(styles, id);
}

function describeStyle(style: StoredStyle, name: string, value: string): void {
  if (name === "name") {
    // The names of built-in styles are English in every language of Word.
    const heading = value.match(/^heading ([1-9])$/i);
    if (heading) style.outline ??= Number(heading[1]) - 1;
    if (value.toLowerCase() === "title") style.outline ??= 0;
  }
  if (name === "basedOn") style.parent = value;
  if (name === "outlineLvl") style.outline = Number(value);
  if (name === "numId") style.list = value;
  if (name === "ilvl") style.level = Number(value);
}

function inherited(styles: ReadonlyMap<string, StoredStyle>, id: string): ParagraphStyle {
  const result: ParagraphStyle = {};
  let next: string | undefined = id;
  for (let step = 0; step < MAX_ANCESTORS && next !== undefined; step++) {
    const style = styles.get(next);
    if (!style) break;
    const { parent, ...own } = style;
    Object.assign(result, { ...own, ...result });
    next = parent;
  }
  return result;
}
