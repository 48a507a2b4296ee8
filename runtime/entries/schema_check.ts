// Checks values against foreign schemas, in a worker without any permission: patterns and references may be of any kind.
import { type CompiledSchema, compileSchema } from "../calls/json_schema/compile_schema.ts";
import type { SchemaAnswer, SchemaQuestion } from "../calls/json_schema/protocol.ts";
import { leaveBareGround } from "../self/bare_ground.ts";
import { sayLoaded } from "../self/say_loaded.ts";

leaveBareGround();

/** How many problems of a value are told. */
const MAX_PROBLEMS = 50;

const taken = new Map<number, CompiledSchema>();

self.addEventListener("message", async (event) => {
  const { data } = event as MessageEvent<SchemaQuestion>;
  post(await answer(data));
});

// The first word says that all is loaded; the first schema of all takes long.
await compileSchema({ schema: {}, documents: {}, assertFormats: true });
post({ n: 0, problems: [], left: 0 });

async function answer(question: SchemaQuestion): Promise<SchemaAnswer> {
  const { n } = question;
  try {
    if ("take" in question) {
      const compiled = await compileSchema(question.take);
      if ("pointer" in compiled) return { n, failure: compiled };
      taken.set(question.take.id, compiled);
    } else if ("forget" in question) taken.delete(question.forget);
    else {
      const problems = taken.get(question.check)!.check(question.value);
      return {
        n,
        problems: problems.slice(0, MAX_PROBLEMS),
        left: Math.max(0, problems.length - MAX_PROBLEMS),
      };
    }
    return { n, problems: [], left: 0 };
  } catch (error) {
    const isDeep = error instanceof RangeError;
    const message = error instanceof Error ? error.message : String(error);
    return {
      n,
      failure: { pointer: "#", message: isDeep ? "its parts lead into each other without an end" : message },
    };
  }
}

function post(message: SchemaAnswer): void {
  (self as unknown as { postMessage(message: SchemaAnswer): void }).postMessage(message);
}

sayLoaded();
