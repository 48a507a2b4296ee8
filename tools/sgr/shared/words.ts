import type { ErrorInfo } from "../../../schemas/error.ts";

/** What a model sees of a result with fields: the document's form, JSON over several lines. */
export function fieldsText(output: unknown): string {
  return JSON.stringify(output, null, 2);
}

/** What a model sees of a failure. */
export function errorText({ message }: ErrorInfo): string {
  return `Error: ${message}`;
}
