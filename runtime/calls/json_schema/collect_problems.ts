import type { EvaluationPlugin, ValidationContext } from "@hyperjump/json-schema/experimental";
import { uri, value } from "@hyperjump/json-schema/instance/experimental";

import { problemText } from "./problem_text.ts";
import type { SchemaProblem } from "./protocol.ts";

/** What one schema found, and what the schemas found that it led to. */
type Found = readonly (SchemaProblem | Found)[];

interface Context extends ValidationContext {
  found?: (SchemaProblem | Found)[];
}

/** Collects all that is wrong with a value while the library goes through it. */
export interface Collector {
  plugin: EvaluationPlugin;
  /** All problems, in the order of the value. */
  problems(): SchemaProblem[];
}

/** Makes a collector for one value. What a schema finds counts only if whoever led to it fails too. */
export function makeCollector(): Collector {
  let all: Found = [];
  const plugin: EvaluationPlugin<Context> = {
    afterKeyword([id, , wanted], instance, context, valid, above) {
      if (valid) return;
      above.found ??= [];
      const message = problemText({ id, wanted, found: value(instance) });
      if (message !== null) above.found.push({ pointer: uri(instance), message });
      if (context.found !== undefined) above.found.push(context.found);
    },
    afterSchema(address, instance, context, valid) {
      if (!valid && context.ast[address] === false) {
        const message = problemText({ id: "validate", wanted: false, found: value(instance) })!;
        (context.found ??= []).push({ pointer: uri(instance), message });
      }
      all = context.found ?? [];
    },
  };
  return { plugin: plugin as EvaluationPlugin, problems: () => unique(flatten(all)) };
}

function flatten(found: Found): SchemaProblem[] {
  const open: (SchemaProblem | Found)[] = [found];
  const flat: SchemaProblem[] = [];
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    if ("pointer" in one) flat.push(one);
    else for (let at = one.length - 1; at >= 0; at--) open.push(one[at]!);
  }
  return flat;
}

/** Two schemas may find the same. */
function unique(problems: readonly SchemaProblem[]): SchemaProblem[] {
  const seen = new Map(problems.map((problem) => [`${problem.pointer}\n${problem.message}`, problem]));
  return [...seen.values()];
}
