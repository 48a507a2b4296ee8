import { entries, has, keys, step, typeOf as typeOfSchema, value as valueOfSchema } from "@hyperjump/browser";
import { addKeyword, getKeywordName, type Keyword, Validation } from "@hyperjump/json-schema/experimental";
import type { ValidationContext } from "@hyperjump/json-schema/experimental";
import { entries as fieldsOf, typeOf, value } from "@hyperjump/json-schema/instance/experimental";

import { type BoundedPattern, compilePattern } from "./bounded_pattern.ts";

const IDS = "https://json-schema.org/keyword";

/** What is noted for `unevaluatedProperties`. */
interface Context extends ValidationContext {
  evaluatedProperties?: Set<string>;
}

const pattern: Keyword<BoundedPattern> = {
  id: `${IDS}/pattern`,
  compile: (schema) => Promise.resolve(compilePattern(valueOfSchema<string>(schema))),
  interpret: (pattern, instance) => typeOf(instance) !== "string" || pattern.test(value<string>(instance)),
};

const patternProperties: Keyword<[BoundedPattern, string][], Context> = {
  id: `${IDS}/patternProperties`,
  async compile(schema, ast, parent) {
    const compiled: [BoundedPattern, string][] = [];
    for await (const [source, inner] of entries(schema)) {
      compiled.push([compilePattern(source), await Validation.compile(inner as typeof schema, ast, parent)]);
    }
    return compiled;
  },
  interpret(patterns, instance, context) {
    if (typeOf(instance) !== "object") return true;
    let isValid = true;
    for (const [pattern, address] of patterns) {
      for (const [name, field] of fieldsOf(instance)) {
        if (!pattern.test(value<string>(name))) continue;
        if (!Validation.interpret(address, field, context)) isValid = false;
        context.evaluatedProperties?.add(value<string>(name));
      }
    }
    return isValid;
  },
  simpleApplicator: true,
};

/** What `additionalProperties` leaves to its neighbours, and the address of its schema. */
interface Others {
  names: ReadonlySet<string>;
  patterns: readonly BoundedPattern[];
  address: string;
}

const additionalProperties: Keyword<Others, Context> = {
  id: `${IDS}/additionalProperties`,
  async compile(schema, ast, parent) {
    const { dialectId } = schema.document;
    const namesIn = async (keyword: string): Promise<string[]> => {
      const name = getKeywordName(dialectId, `${IDS}/${keyword}`);
      if (!has(name, parent)) return [];
      const found = await step(name, parent);
      return typeOfSchema(found) === "object" ? [...keys(found)] : [];
    };
    return {
      names: new Set(await namesIn("properties")),
      patterns: (await namesIn("patternProperties")).map(compilePattern),
      address: await Validation.compile(schema, ast, parent),
    };
  },
  interpret({ names, patterns, address }, instance, context) {
    if (typeOf(instance) !== "object") return true;
    let isValid = true;
    for (const [node, field] of fieldsOf(instance)) {
      const name = value<string>(node);
      if (names.has(name) || patterns.some((pattern) => pattern.test(name))) continue;
      if (!Validation.interpret(address, field, context)) isValid = false;
      context.evaluatedProperties?.add(name);
    }
    return isValid;
  },
  simpleApplicator: true,
};

/** Makes the library try patterns in bounded time, wherever they stand. */
export function boundPatterns(): void {
  addKeyword(pattern);
  addKeyword(patternProperties);
  addKeyword(additionalProperties);
}
