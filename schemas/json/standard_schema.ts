/** What helps against a type that JSON does not have, for people who write tools. */
export const JSON_TYPE_REMEDY = "write a type that JSON has, such as z.iso.datetime(), and convert it in run";

/** What is wrong with a value, as a schema says it. */
export interface StandardIssue {
  /** A sentence. */
  readonly message: string;
  /** Where in the value. */
  readonly path?: ReadonlyArray<PropertyKey | { readonly key: PropertyKey }> | undefined;
}

/** What a check gives: the value, perhaps with defaults filled in, or what is wrong with it. */
export type StandardAnswer<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] };

/**
 * A schema of a library that follows Standard Schema and can give its JSON Schema, as those of zod do. `Output` is the
 * type of a value that it has checked.
 */
export interface StandardSchema<Output = unknown> {
  /** What the standard asks of a schema. */
  readonly "~standard": {
    /** Version of the standard. */
    readonly version: 1;
    /** The library. */
    readonly vendor: string;
    validate(value: unknown): StandardAnswer<Output> | Promise<StandardAnswer<Output>>;
    readonly types?: { readonly input: unknown; readonly output: Output } | undefined;
    readonly jsonSchema: { input(options: { target: "draft-2020-12" }): Record<string, unknown> };
  };
}

/** Says whether a value is such a schema, and not a JSON Schema. */
export function isStandardSchema(value: object): value is StandardSchema {
  return "~standard" in value;
}

/** Words what is wrong with a value, a sentence each. */
export function problemsOf(issues: readonly StandardIssue[]): string[] {
  return issues.map(({ message, path = [] }) => {
    const at = path.map((part) => String(typeof part === "object" ? part.key : part)).join(".");
    return at === "" ? message : `${at}: ${message}`;
  });
}
