import { STEP_STATUSES, type StepStatus } from "../../../../../schemas/step/plan.ts";

/** A page that a result names. */
export interface NamedPage {
  url: string;
  title: string;
  snippet: string;
  /** Its number among the sources of the session; `null` if it has none. */
  number: number | null;
}

/** A step of a plan that a result holds. */
export interface NamedStep {
  text: string;
  status: StepStatus;
}

/** What a result holds that has a look of its own; it is told by its shape, as tools of all sets come by. */
export type Shape =
  | { kind: "diff"; text: string }
  | { kind: "pages"; pages: readonly NamedPage[] }
  | { kind: "steps"; steps: readonly NamedStep[] }
  | { kind: "terminal"; text: string }
  | { kind: "text" };

type Fields = Readonly<Record<string, unknown>>;

/** Says what the output of a call is; `text` is what the model saw of it. */
export function shapeOf(result: unknown, text: string): Shape {
  if (isFields(result)) {
    const diff = Object.values(result).find(isDiff);
    if (diff !== undefined) return { kind: "diff", text: diff };
    const pages = listIn(result, (item) => typeof item["url"] === "string");
    if (pages) return { kind: "pages", pages: pages.map(pageOf) };
    const steps = listIn(result, (item) => isStatus(item["status"]) && typeof item["text"] === "string");
    if (steps) return { kind: "steps", steps: steps as unknown as NamedStep[] };
    const screen = terminalText(result) ?? Object.values(result).find(isScreen);
    if (screen !== undefined) return { kind: "terminal", text: screen };
  }
  if (isDiff(text)) return { kind: "diff", text };
  return isScreen(text) ? { kind: "terminal", text } : { kind: "text" };
}

/** Says whether a value is a unified diff. */
export function isDiff(value: unknown): value is string {
  return typeof value === "string" && /^@@ -\d+(?:,\d+)? \+\d+(?:,\d+)? @@/m.test(value) &&
    /^(?:---|diff --git|@@) /.test(value);
}

/** Says whether a value is an object with named parts. */
export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** What a terminal that stays open shows; `undefined` if the output is of something else, or empty. */
function terminalText({ session_id, output }: Fields): string | undefined {
  return typeof session_id === "string" && typeof output === "string" && output.trim() !== ""
    ? output
    : undefined;
}

function isScreen(value: unknown): value is string {
  return typeof value === "string" && value.includes("\u001b[");
}

function isStatus(value: unknown): value is StepStatus {
  return STEP_STATUSES.some((status) => status === value);
}

/** The first list of things of that kind, directly in the output or one level below. */
function listIn(fields: Fields, isOne: (item: Fields) => boolean): readonly Fields[] | null {
  const values = Object.values(fields);
  const lists = [...values, ...values.filter(isFields).flatMap((inner) => Object.values(inner))];
  const found = lists.find((list) =>
    Array.isArray(list) && list.length > 0 && list.every((item) => isFields(item) && isOne(item))
  );
  return found as readonly Fields[] | undefined ?? null;
}

function pageOf({ url, title, snippet, number }: Fields): NamedPage {
  return {
    url: String(url),
    title: typeof title === "string" && title !== "" ? title : String(url),
    snippet: typeof snippet === "string" ? snippet : "",
    number: typeof number === "number" ? number : null,
  };
}
