import { didYouMean, nearest } from "../../../schemas/nearest.ts";
import type { Operation } from "../api/operation.ts";
import { HttpFailure } from "./wire/http_failure.ts";

/** What a request is for. */
export interface OperationRoute {
  operation: Operation;
  params: Readonly<Record<string, string>>;
}

/** What was found at a path. */
export type Found =
  | ({ t: "route" } & OperationRoute)
  /** There is something, for other methods. */
  | { t: "methods"; allow: readonly string[]; operation: Operation }
  | { t: "none" };

/** The paths of operations. */
export class Routes {
  readonly #operations: readonly { operation: Operation; parts: readonly string[] }[];

  constructor(operations: readonly Operation[]) {
    this.#operations = operations.map((operation) => ({
      operation,
      parts: operation.path.split("/").slice(1),
    }));
  }

  /**
   * Finds an operation.
   *
   * @param path As written, without a query
   * @throws {HttpFailure} 400 for a path that could mean two things
   */
  find(method: string, path: string): Found {
    const parts = path.split("/").slice(1).map(decodePart);
    const matches = this.#operations.flatMap(({ operation, parts: wanted }) => {
      const params = match(wanted, parts);
      return params ? [{ operation, params }] : [];
    });
    const asked = method === "HEAD" ? "GET" : method;
    const route = matches.find(({ operation }) => operation.method === asked);
    if (route) return { t: "route", ...route };
    const [first] = matches;
    if (!first) return { t: "none" };
    const methods = new Set(matches.flatMap(({ operation }) => allowed(operation.method)));
    return { t: "methods", allow: [...methods], operation: first.operation };
  }

  /** Says what is there instead. */
  lost(method: string, path: string): HttpFailure {
    const near = nearest(path, this.#operations.map(({ operation }) => operation.path), { max: 2 });
    const shown = JSON.stringify(path.slice(0, 200));
    return HttpFailure.of(
      404,
      `There is nothing at ${method} ${shown}${didYouMean(near) || "; GET /openapi.json has all paths"}`,
    );
  }
}

function allowed(method: string): string[] {
  return method === "GET" ? ["GET", "HEAD"] : [method];
}

/** The parts of a path by their names; `null` if it is another path. The first match of a table counts. */
function match(wanted: readonly string[], parts: readonly string[]): Record<string, string> | null {
  const isOpen = wanted.at(-1)?.endsWith("+}") ?? false;
  if (isOpen ? parts.length < wanted.length : parts.length !== wanted.length) return null;
  const params: Record<string, string> = {};
  for (const [at, part] of wanted.entries()) {
    const name = /^\{(\w+)\+?\}$/.exec(part)?.[1];
    const isRest = isOpen && at === wanted.length - 1;
    const value = isRest ? parts.slice(at).join("/") : parts[at]!;
    if (name === undefined) {
      if (value !== part) return null;
    } else if (value === "" || (!isRest && value.includes("/"))) return null;
    else params[name] = value;
  }
  return params;
}

/** Decodes once; what a second reader could take for another path is none. */
function decodePart(part: string): string {
  let text: string;
  try {
    text = decodeURIComponent(part);
  } catch {
    throw HttpFailure.of(400, `The path cannot be read: ${JSON.stringify(part.slice(0, 100))} is not UTF-8`);
  }
  const steps = text.split(/[/\\]/);
  // deno-lint-ignore no-control-regex
  if (/[\x00-\x1f\x7f\\]/.test(text) || steps.includes("..") || steps.includes(".")) {
    throw HttpFailure.of(
      400,
      `The path cannot be read: ${
        JSON.stringify(part.slice(0, 100))
      } is no name, write no ".", ".." or "\\" in it`,
    );
  }
  return text;
}
