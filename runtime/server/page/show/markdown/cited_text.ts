import { type ComponentChildren, createContext } from "preact";
import { useContext } from "preact/hooks";

import { html } from "../../base/html.ts";
import { OutsideLink } from "../text/outside_link.ts";
import { visible } from "../text/visible.ts";

/** Addresses of the sources of a run, by their numbers. */
export type Addresses = ReadonlyMap<number, string>;

export const NO_ADDRESSES: Addresses = new Map();
/** What marks such as `[1]` lead to. */
export const SourceAddresses = createContext<Addresses>(NO_ADDRESSES);

/** A text in which marks lead to the sources of their numbers; a mark without a source is text. */
export function CitedText({ text }: { text: string }): ComponentChildren {
  const addresses = useContext(SourceAddresses);
  return text.split(/(\[\d{1,3}\])/).map((piece) => {
    const address = addresses.get(Number(piece.slice(1, -1)));
    return piece.startsWith("[") && address !== undefined
      ? html`<${OutsideLink} address=${address}>${piece}<//>`
      : visible(piece);
  });
}
