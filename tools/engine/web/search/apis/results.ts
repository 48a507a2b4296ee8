import { failed } from "../../service/ask_service.ts";
import type { Service } from "../../service/services.ts";
import { plainText, webAddress } from "../results/plain_text.ts";
import type { SearchHit } from "../results/search.ts";

/** An object of JSON that nobody checked. */
export type Fields = Readonly<Record<string, unknown>>;

/** Says whether a value of JSON is an object. */
export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Returns the list of results of an answer; an empty one is an answer, too.
 *
 * @throws {ToolError} `external_failure` if there is no list
 */
export function listOf(service: Service, value: unknown): Fields[] {
  if (!Array.isArray(value)) throw failed(service, "its answer has no list of results");
  return value.filter(isFields);
}

/** Which fields of a result hold what. */
export interface Names {
  title: string;
  url: string;
  snippet: string;
  date?: string;
  source?: string;
}

/** Makes results of what a service lists; what leads nowhere is left out. */
export function hitsOf(list: readonly Fields[], names: Names): SearchHit[] {
  return list.flatMap((fields) => {
    const url = webAddress(fields[names.url]);
    if (url === null) return [];
    const date = names.date === undefined ? "" : plainText(fields[names.date]);
    const source = names.source === undefined ? "" : plainText(fields[names.source]);
    return [{
      title: plainText(fields[names.title]),
      url,
      snippet: plainText(fields[names.snippet]),
      ...(date !== "" && { date }),
      ...(source !== "" && { source }),
    }];
  });
}

/** Returns the path of a question, without the parameters that are not given. */
export function pathOf(
  path: string,
  parameters: Readonly<Record<string, string | number | undefined>>,
): string {
  const given = Object.entries(parameters).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]]
  );
  return `${path}?${new URLSearchParams(given)}`;
}

/** Returns the page of so many results that holds the wanted ones, from 0, and how many of its results come before. */
export function pageOf(
  { skip = 0, size }: { skip?: number | undefined; size: number },
): { page: number; before: number } {
  return { page: Math.floor(skip / size), before: skip % size };
}

/** The language of a tag: `zh` of `zh-cn`. */
export function languageOf(tag: string | undefined): string | undefined {
  return tag?.split(/[-_]/)[0]?.toLowerCase();
}
