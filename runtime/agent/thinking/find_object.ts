import { isObject } from "../../../schemas/json/shape.ts";
import { parseJson } from "../../../schemas/json/json_text.ts";
import { endOfJson } from "../conversation/mend_json.ts";
import { unwrapJson } from "../conversation/unwrap_json.ts";

/** How many characters are looked at, for each one of the text: brackets may nest without end. */
const LOOKS = 8;
/** What a bracket costs of that beside its characters. */
const LOOK_COST = 500;

/**
 * Finds the one JSON object that a text means: alone, in a code fence, with prose around it, or with its last brackets
 * left out. Of several, the last one counts: models correct themselves.
 *
 * @returns What is wrong, as a part of a sentence, if there is none
 */
export function findObject(text: string): Record<string, unknown> | string {
  const found = findObjects(text);
  return typeof found === "string" ? found : found.at(-1)!;
}

/**
 * Finds all JSON objects in a text that stand beside each other, as {@linkcode findObject} does.
 *
 * @returns At least one, or what is wrong, as a part of a sentence
 */
export function findObjects(text: string): Record<string, unknown>[] | string {
  const whole = read(text);
  if (whole !== null) return [whole];
  const found: Record<string, unknown>[] = [];
  let open = -1;
  let left = text.length * LOOKS + 100 * LOOK_COST;
  for (let at = text.indexOf("{"); at >= 0 && left > 0;) {
    const end = endOfJson(text, at);
    left -= (end < 0 ? text.length : end) - at + LOOK_COST;
    const value = end < 0 ? null : read(text.slice(at, end));
    if (value !== null) found.push(value);
    else if (open < 0) open = at;
    // Within an object that is not closed, only parts of it would be found.
    if (open >= 0 && end < 0) break;
    at = text.indexOf("{", value === null ? at + 1 : end);
  }
  if (found.length > 0) return found;
  if (open < 0) return "there is no JSON object in it";
  const closed = read(withBrackets(text.slice(open).replace(/\s*```\s*$/, "")));
  return closed ? [closed] : `its JSON is broken (${whyBroken(text.slice(open))})`;
}

function read(text: string): Record<string, unknown> | null {
  const unwrapped = unwrapJson(withoutCommas(text)) ?? unwrapJson(text);
  if (unwrapped === null) return null;
  const value: unknown = JSON.parse(unwrapped.text);
  return isObject(value) ? value : null;
}

/** Commas behind the last item are a habit from other languages. */
function withoutCommas(text: string): string {
  return text.replace(/"(?:[^"\\]|\\[\s\S])*"|,(?=\s*[}\]])/g, (token) => token === "," ? "" : token);
}

/** Adds the brackets that are missing at the end. */
function withBrackets(text: string): string {
  const open: string[] = [];
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\[\s\S])*"?|[{}[\]]/g)) {
    if (token === "{" || token === "[") open.push(token === "{" ? "}" : "]");
    else if (token === "}" || token === "]") open.pop();
    else if (token.length === 1 || !token.endsWith('"')) return text;
  }
  return text + open.toReversed().join("");
}

function whyBroken(text: string): string {
  try {
    parseJson(text, "it");
    return "more than one thing is meant";
  } catch (error) {
    return error instanceof Error ? error.message.split("\n")[0]! : String(error);
  }
}
