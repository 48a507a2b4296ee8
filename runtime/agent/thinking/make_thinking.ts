import { ToolError } from "../../../schemas/error.ts";
import type { JsonSchema, ManifestEntry } from "../../../schemas/manifest.ts";
import type { ThinkingKind, ThinkingSettings } from "../../../schemas/step/thinking.ts";
import type { Thinking } from "../loop/parts.ts";
import { PlanThinking } from "./plan.ts";
import { SgrThinking } from "./sgr.ts";
import { SgrToolsThinking } from "./sgr_tools.ts";
import type { StepThinking, ThinkingParts } from "./step_thinking.ts";
import { ToolsThinking } from "./tools.ts";

const WAYS: Readonly<Record<ThinkingKind, new (parts: ThinkingParts) => StepThinking>> = {
  tools: ToolsThinking,
  sgr: SgrThinking,
  "sgr-tools": SgrToolsThinking,
  plan: PlanThinking,
};

/** What the model says of the work where no tool says it otherwise. */
const REASONING: JsonSchema = {
  type: "object",
  properties: {
    current_situation: { type: "string", description: "How the work stands, in a few sentences." },
    remaining_steps: {
      type: "array",
      items: { type: "string" },
      description: "What is still to be done, in order.",
    },
    task_completed: { type: "boolean", description: "Whether the task is done." },
  },
  required: ["current_situation", "remaining_steps", "task_completed"],
};

/** Makes the way of thinking of a run. */
export function makeThinking(
  parts: Omit<ThinkingParts, "reasoning">,
  known: readonly ManifestEntry[],
): Thinking {
  const own = parts.tools.find(({ step_part }) => step_part === "reason")?.parameters;
  const reasoning = own ?? known.find(({ step_part }) => step_part === "reason")?.input_schema ?? REASONING;
  return new WAYS[parts.settings.kind ?? "tools"]({ ...parts, reasoning });
}

/**
 * Checks that the tools of a run go with its way of thinking.
 *
 * @param known All tools that there are
 * @throws {ToolError} `invalid_input` if two calls a step are wanted, and no tool says how the work stands
 */
export function checkThinking(
  { kind }: ThinkingSettings,
  { offered, known }: {
    offered: readonly Pick<ManifestEntry, "step_part">[];
    known: readonly ManifestEntry[];
  },
): void {
  if (kind !== "sgr-tools" || offered.some(({ step_part }) => step_part === "reason")) return;
  const names = known.filter(({ step_part }) => step_part === "reason").map(({ full_name }) => full_name);
  throw new ToolError(
    "invalid_input",
    `Thinking "${kind}" needs a tool that says how the work stands, and none is offered` +
      (names.length === 0 ? "" : `: add ${names.join(" or ")} (--extra-tool)`),
    { details: { tools: names } },
  );
}
