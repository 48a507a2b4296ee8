import { ToolError } from "../../../../schemas/error.ts";
import { isList, isPlainObject, type PlainObject, type PlainValue } from "./plain_tree.ts";

/** Reads the fields of one section; what is `null` or an empty text counts as not said. */
export class FileFields {
  readonly #section: PlainObject;
  /** What messages call the section: `agents.fast.llm`. */
  readonly at: string;
  readonly #read = new Set<string>();

  constructor(section: PlainValue | undefined, at: string) {
    if (section !== undefined && section !== null && !isPlainObject(section)) {
      throw wrong(at, "be a mapping");
    }
    this.#section = section ?? {};
    this.at = at;
  }

  /** Returns a field as it is. */
  value(name: string): PlainValue | undefined {
    this.#read.add(name);
    const value = Object.hasOwn(this.#section, name) ? this.#section[name] : undefined;
    return value === null || value === "" ? undefined : value;
  }

  /** @throws {ToolError} `configuration` for anything but a text */
  text(name: string): string | undefined {
    const value = this.value(name);
    if (value === undefined || typeof value === "string") return value;
    const remedy = typeof value === "object" ? "" : ": put it into quotes";
    throw wrong(`${this.at}.${name}`, `be a text${remedy}`);
  }

  /**
   * Reads a number; a text of digits is one, as variables are texts.
   *
   * @throws {ToolError} `configuration` for anything else, and for a number out of its bounds
   */
  number(name: string, { least, most = Infinity, whole = false }: NumberBounds): number | undefined {
    const value = this.value(name);
    if (value === undefined) return undefined;
    const number = typeof value === "string" && /^\d+(?:\.\d+)?$/.test(value.trim()) ? Number(value) : value;
    const fits = typeof number === "number" && number >= least && number <= most;
    if (fits && (!whole || Number.isInteger(number))) return number;
    const kind = whole ? "a whole number" : "a number";
    throw wrong(`${this.at}.${name}`, `be ${kind} from ${least}${most === Infinity ? "" : ` to ${most}`}`);
  }

  /** Returns the fields of a field. */
  section(name: string): FileFields {
    return new FileFields(this.value(name), `${this.at}.${name}`);
  }

  /** @throws {ToolError} `configuration` for anything but a list */
  list(name: string): readonly PlainValue[] | undefined {
    const value = this.value(name);
    if (value === undefined || isList(value)) return value;
    throw wrong(`${this.at}.${name}`, "be a list");
  }

  /** Takes note of fields that have no meaning here. */
  skip(...names: string[]): void {
    for (const name of names) this.#read.add(name);
  }

  /** The fields that nothing has read. */
  get unread(): string[] {
    return Object.keys(this.#section).filter((name) => !this.#read.has(name));
  }

  get entries(): readonly (readonly [string, PlainValue])[] {
    return Object.entries(this.#section);
  }
}

interface NumberBounds {
  least: number;
  /** @default no bound */
  most?: number;
  /** @default false */
  whole?: boolean;
}

/** Returns the error for a field with a wrong value. The value is not told: it may be a key. */
export function wrong(at: string, expected: string): ToolError {
  return new ToolError("configuration", `${at} must ${expected}`);
}
