import { isObject } from "../../../schemas/json/shape.ts";
import type { Quirks } from "./learn.ts";

/** What a session keeps of what was learned of a server, with the form of each value. */
const KEPT: Readonly<Partial<Record<keyof Quirks, (value: unknown) => boolean>>> = {
  noTools: isYes,
  noChoice: isYes,
  noForm: isYes,
  noUsage: isYes,
  newTokenLimit: isYes,
  noExtra: isYes,
  noStream: isYes,
  noSystem: isYes,
  strictOrder: isYes,
  noImages: isYes,
  simpleSchemas: isYes,
  withoutTools: isTexts,
  withoutFields: isTexts,
  mostTools: isCount,
  mostTokens: isCount,
};

/** Returns what a session keeps of what is known of a server. */
export function learnedNow(quirks: Quirks): Record<string, unknown> {
  return { ...readLearned(quirks) };
}

/** Reads what a session kept; what is not of its form does not count. */
export function readLearned(kept: unknown): Quirks {
  if (!isObject(kept)) return {};
  const read = Object.entries(KEPT).flatMap(([name, fits]) =>
    Object.hasOwn(kept, name) && fits(kept[name]) ? [[name, kept[name]]] : []
  );
  return Object.fromEntries(read);
}

function isYes(value: unknown): boolean {
  return value === true;
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((one) => typeof one === "string");
}

function isCount(value: unknown): boolean {
  return typeof value === "number" && Number.isSafeInteger(value) && value > 0;
}
