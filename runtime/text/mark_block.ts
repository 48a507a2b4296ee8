import { onOneLine } from "./strip_controls.ts";

/**
 * Puts foreign text between marks that name it.
 *
 * @param name Name of the mark; it gets a number if the text itself ends such a mark
 * @param attributes Facts about the text, for the first mark
 */
export function markBlock(
  name: string,
  content: string,
  attributes: Readonly<Record<string, string>> = {},
): string {
  let mark = name;
  for (let number = 2; content.includes(`</${mark}`); number++) mark = `${name}-${number}`;
  const said = Object.entries(attributes).map(([key, value]) =>
    ` ${key}=${JSON.stringify(onOneLine(value))}`
  );
  const end = content === "" || content.endsWith("\n") ? "" : "\n";
  return `<${mark}${said.join("")}>\n${content}${end}</${mark}>`;
}
