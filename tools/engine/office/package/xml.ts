import { Parser } from "htmlparser2";

import { ToolError } from "../../../../schemas/error.ts";

/** Deeper than any document that a program wrote. */
const MAX_DEPTH = 256;

/** Attributes of an element by their full names. */
export type XmlAttributes = Readonly<Record<string, string>>;

/** What a reader of one XML part listens to. Elements come by their local names. */
export interface XmlHandler {
  open?(name: string, attributes: XmlAttributes): void;
  close?(name: string): void;
  text?(text: string): void;
}

/**
 * Reads an XML part piece by piece. It refuses definitions of entities and fetches nothing from outside.
 *
 * @param part Name of the part, for messages
 * @throws {ToolError} `invalid_input` for a document type or elements that do not close; `limit_exceeded` for elements
 * nested deeper than 256 levels
 */
export async function readXml(
  pieces: AsyncIterable<Uint8Array>,
  handler: XmlHandler,
  options: { part: string },
): Promise<void> {
  const { part } = options;
  const parser = createParser(handler, part);
  let decoder: TextDecoder | undefined;
  for await (const piece of pieces) {
    decoder ??= new TextDecoder(encodingOf(piece));
    parser.write(decoder.decode(piece, { stream: true }));
  }
  parser.write(decoder?.decode() ?? "");
  parser.end();
}

/** Returns the attribute of a local name, with or without a prefix. */
export function localAttribute(attributes: XmlAttributes, name: string): string | undefined {
  const plain = attributes[name];
  return plain ?? prefixedAttribute(attributes, name);
}

/** Returns the attribute of a local name that has a prefix, such as `r:id` beside `id`. */
export function prefixedAttribute(attributes: XmlAttributes, name: string): string | undefined {
  const key = Object.keys(attributes).find((key) => key.endsWith(`:${name}`));
  return key === undefined ? undefined : attributes[key];
}

/** If the file is not XML, a name can be any text. */
function shown(name: string): string {
  return /^[\w:.-]{1,80}$/.test(name) ? `<${name}>` : "an element";
}

function createParser(handler: XmlHandler, part: string): Parser {
  const malformed = (reason: string) =>
    new ToolError("invalid_input", `The file is damaged: part "${part}" is not well-formed XML, ${reason}`);
  let depth = 0;
  let openedAt = -1;
  const parser = new Parser({
    onopentag(name, attributes) {
      openedAt = parser.endIndex;
      if (++depth > MAX_DEPTH) {
        throw new ToolError(
          "limit_exceeded",
          `The file is not read: part "${part}" nests elements deeper than ${MAX_DEPTH} levels`,
        );
      }
      handler.open?.(localName(name), attributes);
    },
    onclosetag(name, implied) {
      // An element that closes itself is closed where it was opened.
      if (implied && parser.endIndex !== openedAt) throw malformed(`${shown(name)} is not closed`);
      depth--;
      handler.close?.(localName(name));
    },
    ontext: (text) => handler.text?.(text),
    onprocessinginstruction(name) {
      if (!name.toLowerCase().startsWith("!")) return;
      throw new ToolError(
        "invalid_input",
        `The file is not read: part "${part}" has a document type definition, which office files must not have`,
      );
    },
    onend() {
      if (openedAt === -1) throw malformed("it has no elements");
    },
  }, { xmlMode: true });
  return parser;
}

function localName(name: string): string {
  return name.slice(name.indexOf(":") + 1);
}

function encodingOf(start: Uint8Array): string {
  if (start[0] === 0xff && start[1] === 0xfe) return "utf-16le";
  if (start[0] === 0xfe && start[1] === 0xff) return "utf-16be";
  return "utf-8";
}
