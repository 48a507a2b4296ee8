import { ToolError } from "../../../schemas/error.ts";
import { fieldPath } from "../../../schemas/json/mismatch.ts";
import { branchesOf, isObject, propertiesOf, toSchema } from "../../../schemas/json/shape.ts";
import type { JsonSchema } from "../../../schemas/manifest.ts";
import { didYouMean, nearest } from "../../../schemas/nearest.ts";
import { fieldProblems } from "../config/check/field_problems.ts";

/** Functions that an object of the embedding program must have, and such that it may have. */
interface Parts {
  needs?: readonly string[];
  may?: readonly string[];
}

const SIGNAL: Parts = { needs: ["addEventListener", "throwIfAborted"] };

/**
 * Checks what an embedding program says, as a configuration file is checked: nothing that is not understood is left out.
 *
 * @param who Whose options they are, for messages: `createRunner`
 * @param schema Has `properties`, the fields that there are
 * @returns The options, with all fields as their own
 * @throws {ToolError} `invalid_input` that names every field which is wrong, and what is expected there
 */
export function checkOptions<Options extends object>(
  who: string,
  schema: JsonSchema,
  options: Options,
): Options {
  if (!isObject(options)) throw optionRefusal(who, ["they must be an object"]);
  const hidden: string[] = [];
  const given = copyOf(schema, options, { at: "", hidden }) as Record<string, unknown>;
  const wrong = [...hidden, ...fieldProblems(schema, given)];
  const problems = wrong.length > 0 ? wrong : partsProblems(given);
  if (problems.length > 0) throw optionRefusal(who, problems);
  return given as Options;
}

/** Where a value is, and what hides what it says. */
interface CopyPlace {
  at: string;
  hidden: string[];
}

/**
 * Copies what is checked: a later change of it would be checked by nobody. Fields of a class lie elsewhere than in its objects,
 * and count as well; what is in a map or a set does not show.
 */
function copyOf(schema: JsonSchema, value: unknown, { at, hidden }: CopyPlace): unknown {
  if (Array.isArray(value)) {
    return value.map((item, index) =>
      copyOf(toSchema(schema.items), item, { at: `${at}[${index}]`, hidden })
    );
  }
  const forms = [schema, ...branchesOf(schema)];
  const fields: Record<string, JsonSchema> = Object.assign({}, ...forms.map(propertiesOf));
  const others = forms.find(({ additionalProperties }) => isObject(additionalProperties))
    ?.additionalProperties;
  const known = Object.keys(fields);
  if (!isObject(value) || (others === undefined && known.length === 0)) return value;
  const names = new Set([...Object.keys(value), ...known.filter((name) => name in value)]);
  if (Symbol.iterator in value || names.size === 0 && !isPlain(value)) {
    hidden.push(
      `field '${at}' must be a plain object, not one of the class ${value.constructor?.name ?? "unknown"}`,
    );
  }
  // What is not said takes no place; where people choose the names, a name says something.
  const said = [...names].filter((name) => value[name] !== undefined || !Object.hasOwn(fields, name));
  return Object.fromEntries(said.map((name) => {
    const inner = toSchema(Object.hasOwn(fields, name) ? fields[name] : others);
    return [name, copyOf(inner, value[name], { at: fieldPath(at, name), hidden })];
  }));
}

function isPlain(value: object): boolean {
  const above = Object.getPrototypeOf(value);
  return above === null || Object.getPrototypeOf(above) === null;
}

/** Says what objects with functions lack. Those of a class have them elsewhere than in fields of their own. */
export function partProblems(at: string, value: unknown, { needs = [], may = [] }: Parts): string[] {
  if (!isObject(value)) return [`${at} must be an object`];
  const known = [...needs, ...may];
  const unknown = isPlain(value) && needs.length === 0
    ? Object.keys(value).filter((name) => !known.includes(name))
    : [];
  return [
    ...needs.filter((name) => typeof value[name] !== "function").map((name) =>
      `${at}.${name} must be a function`
    ),
    ...may.filter((name) => value[name] !== undefined && typeof value[name] !== "function")
      .map((name) => `${at}.${name} must be a function`),
    ...unknown.map((name) => `unknown field ${at}.${name}${didYouMean(nearest(name, known, { max: 1 }))}`),
    ...needs.length === 0 && may.every((name) => value[name] === undefined)
      ? [`${at} must have ${may.join(" or ")}`]
      : [],
  ];
}

function partsProblems({ hooks, session, signal }: Record<string, unknown>): string[] {
  return [
    ...Array.isArray(hooks)
      ? hooks.flatMap((hook, at) => partProblems(`hooks[${at}]`, hook, { may: ["before", "after"] }))
      : [],
    ...session === undefined
      ? []
      : partProblems("session", session, { needs: ["get", "set"], may: ["hold"] }),
    ...signal === undefined ? [] : partProblems("signal", signal, SIGNAL),
  ];
}

/** Says that options cannot be used. */
export function optionRefusal(who: string, problems: readonly string[]): ToolError {
  return new ToolError("invalid_input", `Cannot use the options of ${who}: ${problems.join("; ")}`, {
    details: { problems },
  });
}
