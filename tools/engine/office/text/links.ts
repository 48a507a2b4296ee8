import { webAddress } from "../../web_address.ts";
import type { Relationship } from "../package/package.ts";

/** `HYPERLINK "address" \l "place"`, with other switches before and between. */
const FIELD = /^\s*HYPERLINK\s+(?:\\[a-km-z]\s+)*"([^"]*)"(?:.*?\\l\s+"([^"]*)")?/i;
const FORMULA = /^\s*(?:_xlfn\.)?HYPERLINK\(\s*"((?:[^"]|"")*)"/i;

/** Returns the address of the link that a field of Word makes. */
export function addressOfField(code: string): string | null {
  const [, address, place] = code.match(FIELD) ?? [];
  return webAddress(address, place);
}

/** Returns the address of the link that a formula of Excel makes. */
export function addressOfFormula(formula: string | null): string | null {
  return webAddress(formula?.match(FORMULA)?.[1]?.replaceAll('""', '"'));
}

/** Returns the addresses of a part's links by their ids. */
export function addressesById(relationships: readonly Relationship[]): ReadonlyMap<string, string> {
  return new Map(relationships.flatMap(({ id, type, target, external }) => {
    const address = external && type === "hyperlink" ? webAddress(target) : null;
    return address === null ? [] : [[id, address] as const];
  }));
}

/** Writes a link: its text, and where it leads. */
export function linkText(text: string, address: string): string {
  const shown = text.trim();
  if (address === "" || isSame(shown, address)) return text;
  if (shown === "") return text + address;
  const [before = "", after = ""] = [text.match(/^\s*/)?.[0], text.match(/\s*$/)?.[0]];
  return `${before}[${shown}](${address})${after}`;
}

/** Writes the address of a link behind the value of a cell. */
export function valueWithAddress(value: string, address: string | null): string {
  return address === null || isSame(value, address) ? value : `${value} (${address})`.trim();
}

function isSame(text: string, address: string): boolean {
  return text === address || `mailto:${text}` === address;
}
