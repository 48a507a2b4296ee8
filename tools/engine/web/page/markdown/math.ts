import type { PageElement } from "../dom/node.ts";

/** Writes a formula as TeX if the page has it as TeX, else its text. */
export function writeMath(math: PageElement): string {
  const annotation = math.querySelectorAll("annotation").find((element) =>
    element.getAttribute("encoding") === "application/x-tex"
  );
  const tex = texOf(annotation?.textContent ?? math.getAttribute("alttext") ?? "");
  if (tex === "") return math.textContent.replace(/\s+/g, " ");
  const mark = math.getAttribute("display") === "block" ? "$$" : "$";
  return mark + tex + mark;
}

/** Writes a picture of a formula by its text, `null` if it is none. */
export function writeMathPicture(picture: PageElement): string | null {
  const alt = picture.getAttribute("alt") ?? "";
  if (!/mwe-math|(?:^|\s)(?:la)?tex(?:\s|$)/.test(picture.className) && !alt.startsWith("{\\displaystyle")) {
    return null;
  }
  const hasFormula = picture.parentElement?.querySelectorAll("math").length !== 0;
  const tex = texOf(alt);
  return hasFormula || tex === "" ? "" : `$${tex}$`;
}

/** Formulas of Wikipedia stand in a group that says how large they are. */
function texOf(text: string): string {
  const tex = text.replace(/\s+/g, " ").trim();
  return /^\{\\(?:displaystyle|textstyle) (.*)\}$/.exec(tex)?.[1]?.trim() ?? tex;
}
