import { ACCESS_KINDS } from "../../../../schemas/access.ts";
import type { JsonSchema } from "../../../../schemas/manifest.ts";
import { THINKING_KINDS } from "../../../../schemas/step/thinking.ts";
import { COUNT, each, fieldsOf, map, POSITIVE, PRICE, SCOPE, TEXT, TEXTS, told } from "./schema_words.ts";

const NAME: JsonSchema = { type: "string", minLength: 1 };
const FROM_NONE: JsonSchema = { type: "integer", minimum: 0 };

/** The bounds of a run, for all runs or for those of one agent. */
export const BOUNDS_OF_RUNS: Record<string, JsonSchema> = {
  max_rounds: COUNT,
  max_calls: COUNT,
  max_seconds: POSITIVE,
  max_tokens: COUNT,
  max_cost: told("In dollars", PRICE),
  max_tools: told("With more tools than these, the model finds them by a search", COUNT),
  max_iterations: told("From this step on, only tools that report and finish are offered", COUNT),
  max_clarifications: told("Answers to questions, after which the tools that ask are taken away", FROM_NONE),
  max_searches: told("Searches, after which the tools that search are taken away", FROM_NONE),
};

const MODEL = fieldsOf({
  name: told("Name of the model", NAME),
  base_url: told("Where its API is", NAME),
  api_key_env: told("Name of the variable that holds its key", NAME),
  temperature: told("From 0 to 2", { type: "number", minimum: 0, maximum: 2 }),
  max_tokens: told("Longest reply", COUNT),
  idle_seconds: told("Longest silence of a reply", POSITIVE),
  wire: told("The API that it is asked by", { enum: ["chat", "responses"] }),
  extra_body: told("Extra fields of every request", { type: "object" }),
});

/** What an agent of the configuration must look like, with texts for editors. */
export const AGENT: JsonSchema = fieldsOf({
  description: told("What it is for, in a line", TEXT),
  kind: told("How it thinks", { enum: Object.keys(THINKING_KINDS) }),
  must_call: told("Of the kind tools: each reply must call one", { type: "boolean" }),
  tools: told("The complete set of its tools", TEXTS),
  prompts: told(
    "Texts of its own; only in the user's file",
    fieldsOf({
      system: told("In the place of the usual system prompt", TEXT),
      request: told("Around {task}, or behind it", TEXT),
      clarification: told("Around {clarifications}, or behind them", TEXT),
    }),
  ),
  executors: told(
    "Of the kind plan: who does its steps, by name; only in the user's file",
    map(fieldsOf({
      description: told("What it is good at", TEXT),
      system: told("In the place of the system prompt", TEXT),
      tools: told("The tools of its steps", TEXTS),
      agent: told("An agent whose tools, system prompt and bound of steps it takes", NAME),
      max_iterations: told("Replies with calls in one of its steps", COUNT),
    })),
  ),
  model: told("Name of its model, or all about it; only in the user's file", { anyOf: [NAME, MODEL] }),
  limits: told("Bounds of its runs", fieldsOf(BOUNDS_OF_RUNS)),
  search: told(
    "Settings of its tools for the web",
    fieldsOf({ engine: NAME, max_results: COUNT, max_searches: FROM_NONE, content_limit: COUNT }),
  ),
  mcp: told("Names of the MCP servers of the configuration that it uses, * for all", TEXTS),
  grants: told(
    "What it may touch beside what its policy grants; a project's file can only deny",
    fieldsOf({
      policy: told("Name of its policy", NAME),
      allow: each(ACCESS_KINDS, SCOPE),
      deny: told("Wins over everything that is allowed", each(ACCESS_KINDS, SCOPE)),
    }),
  ),
});
