import { isObject } from "../../../schemas/json/shape.ts";

/** Most issues that are told. */
const SHOWN = 3;

/**
 * Returns a text in which the list of issues that a validator wrote as JSON stands in words:
 * `params.arguments: expected record, received null`. Any other text is returned as it is.
 */
export function foldIssues(text: string): string {
  const start = text.search(/\[\s*\{/);
  const end = text.lastIndexOf("]") + 1;
  if (start < 0 || end <= start) return text;
  const issues = listOf(text.slice(start, end));
  if (issues === null) return text;
  const more = issues.length > SHOWN ? [`and ${issues.length - SHOWN} more`] : [];
  return text.slice(0, start) + [...issues.slice(0, SHOWN).map(wordsOf), ...more].join("; ") +
    text.slice(end);
}

interface Issue {
  code: string;
  path: readonly unknown[];
  message: string;
}

function listOf(json: string): Issue[] | null {
  try {
    const list: unknown = JSON.parse(json);
    return Array.isArray(list) && list.length > 0 && list.every(isIssue) ? list : null;
  } catch {
    return null;
  }
}

function isIssue(value: unknown): value is Issue {
  return isObject(value) && typeof value.code === "string" && Array.isArray(value.path) &&
    typeof value.message === "string";
}

function wordsOf({ code, path, message }: Issue): string {
  const where = path.length === 0 ? "the whole" : path.map(String).join(".");
  const what = code === "invalid_union" ? "it has none of the forms that are known" : message;
  return `${where}: ${what.replace(/^Invalid input: /, "")}`;
}
