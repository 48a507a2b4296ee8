import { isObject } from "../../../schemas/json/shape.ts";

/** A keyword that a value does not satisfy. */
export interface FailedKeyword {
  /** The keyword's identifier in the library: `https://json-schema.org/keyword/minLength`. */
  id: string;
  /** The keyword's value as the library holds it. */
  wanted: unknown;
  /** The value that is wrong. */
  found: unknown;
}

/** How much of a value is shown, in characters. */
const MAX_SHOWN = 80;

/** Keywords that only pass on what other keywords found. */
const APPLICATORS: ReadonlySet<string> = new Set([
  ...["items", "draft-04/items", "draft-06/items", "draft-2019-09/items", "prefixItems", "additionalItems"],
  ...["draft-04/additionalItems", "properties", "patternProperties", "additionalProperties", "allOf", "ref"],
  ...[
    "dynamicRef",
    "draft-2020-12/dynamicRef",
    "draft-2019-09/recursiveRef",
    "if",
    "then",
    "else",
    "conditional",
  ],
  ...["dependentSchemas", "propertyNames", "unevaluatedItems", "unevaluatedProperties", "draft-04/ref"],
]);

type Words = (wanted: unknown, found: unknown) => string;

const count = (what: string, how: string): Words => (wanted) =>
  `must have at ${how} ${String(wanted)} ${what}`;
const bound = (how: string): Words => (wanted, found) =>
  `must be ${how} ${String(wanted)}, got ${show(found)}`;

const WORDS: Readonly<Record<string, Words>> = {
  type: (wanted, found) => `must be ${[wanted].flat().join(" or ")}, got ${typeOf(found)}`,
  enum: (wanted) => `must be one of ${shorten((wanted as string[]).join(", "))}`,
  const: (wanted) => `must be ${shorten(String(wanted))}`,
  required: missing,
  dependentRequired: (wanted, found) =>
    missing(
      (wanted as [string, string[]][]).flatMap(([name, names]) =>
        isObject(found) && Object.hasOwn(found, name) ? names : []
      ),
      found,
    ),
  minLength: count("characters", "least"),
  maxLength: count("characters", "most"),
  minItems: count("items", "least"),
  maxItems: count("items", "most"),
  minProperties: count("fields", "least"),
  maxProperties: count("fields", "most"),
  minimum: bound("at least"),
  maximum: bound("at most"),
  exclusiveMinimum: bound("more than"),
  exclusiveMaximum: bound("less than"),
  multipleOf: bound("a multiple of"),
  uniqueItems: () => "must not hold the same item twice",
  pattern: (wanted, found) => `must match ${String(wanted)}, got ${show(found)}`,
  format: (wanted, found) => `must be of the format ${String(wanted)}, got ${show(found)}`,
  contains: (wanted) => {
    if (typeof wanted !== "object") return 'must hold an item that "contains" describes';
    const { minContains, maxContains } = wanted as { minContains: number; maxContains: number };
    const most = maxContains === Number.MAX_SAFE_INTEGER ? "" : ` and at most ${maxContains}`;
    return `must hold at least ${minContains}${most} of the items that "contains" describes`;
  },
  anyOf: () => 'must fit one of the schemas of "anyOf"',
  oneOf: () => 'must fit exactly one of the schemas of "oneOf"',
  not: () => 'must not fit the schema of "not"',
  validate: () => "must not be there",
};

/** Says what is wrong with a value, as a part of a sentence; `null` if something below it says so. */
export function problemText({ id, wanted, found }: FailedKeyword): string | null {
  const name = id.replace(/^https:\/\/json-schema\.org\/(?:keyword|evaluation)\//, "");
  if (APPLICATORS.has(name)) return null;
  const bare = name.replace(/^draft-[\d-]+\//, "");
  const words = Object.hasOwn(WORDS, bare) ? WORDS[bare] : undefined;
  // Draft 4 holds some keywords in other forms.
  if (words === undefined || name.startsWith("draft-04/") && bare !== "format") {
    return `must satisfy "${bare}"`;
  }
  return words(wanted, found);
}

function missing(wanted: unknown, found: unknown): string {
  const names = (wanted as string[]).filter((name) => !isObject(found) || !Object.hasOwn(found, name));
  return `must have ${[...new Set(names)].map((name) => `"${name}"`).join(", ")}`;
}

function typeOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

function show(value: unknown): string {
  return shorten(JSON.stringify(value) ?? "nothing");
}

function shorten(text: string): string {
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}
