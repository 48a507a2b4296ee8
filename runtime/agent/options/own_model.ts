import type { Model, ModelReply } from "../../../schemas/agent/model.ts";
import { ToolError } from "../../../schemas/error.ts";
import { readAnswer } from "../../../schemas/own/answers.ts";
import { checkOptions, partProblems } from "../../host/options/check_options.ts";
import { fieldsOf } from "../../host/options/option_schema.ts";
import { SERVED_MODEL } from "./agent_option_schema.ts";

/**
 * Checks a model of an embedding program: its own has functions, any other is described by fields.
 *
 * @throws {ToolError} `invalid_input` that names every field which is wrong
 */
export function checkModel(model: unknown): void {
  if (typeof model !== "object" || model === null) return;
  if (!("complete" in model)) {
    checkOptions("createAgent", fieldsOf({ model: SERVED_MODEL }), { model });
    return;
  }
  const problems = [
    ...typeof (model as Partial<Model>).name === "string" ? [] : ["model.name must be a text"],
    ...partProblems("model", model, { needs: ["complete"] }),
  ];
  if (problems.length === 0) return;
  throw new ToolError("invalid_input", `Cannot use the model: ${problems.join("; ")}`, {
    details: { problems },
  });
}

/** What a model of the embedding program says must be of its form before anything goes on with it. */
export function checkedModel(model: Model): Model {
  return {
    name: model.name,
    async complete(request, options) {
      const onText = (delta: string) => void (typeof delta === "string" && options.onText?.(delta));
      const reply = await model.complete(request, { ...options, onText });
      return { usage: null, ...readAnswer("model.complete", reply) as Omit<ModelReply, "usage"> };
    },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

/** The caller made this model and closes it. */
export function borrow(model: Model): Model {
  return {
    name: model.name,
    complete: (request, options) => model.complete(request, options),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}
