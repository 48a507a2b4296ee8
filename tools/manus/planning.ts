import * as z from "zod";

import { type Plan, type PlanBook, STEP_STATUSES } from "../../schemas/step/plan.ts";
import type { SessionState } from "../../schemas/context.ts";
import { ToolError } from "../../schemas/error.ts";
import { defineTool } from "../../schemas/tool.ts";
import { readPlanBook } from "../engine/plan/plan_book.ts";
import { renderPlan, renderPlans } from "./shared/plan.ts";

const COMMANDS = ["create", "update", "list", "get", "set_active", "mark_step", "delete"] as const;
const STATE_KEY = "plans";
const MAX_PLANS = 100;
const MAX_STEPS = 500;
/** Longest id, title, step or note, in characters. */
const MAX_TEXT = 10_000;

const input = z.object({
  command: z.enum(COMMANDS, {
    error: ({ input }) =>
      typeof input === "string"
        ? `Unrecognized command: ${input}. Allowed commands are: ${COMMANDS.join(", ")}`
        : undefined,
  }).describe("What to do: `create`, `update`, `list`, `get`, `set_active`, `mark_step` or `delete`."),
  plan_id: z.string().optional().describe(
    "Id of the plan. Required for `create`, `update`, `set_active` and `delete`; `get` and `mark_step` take the active " +
      "plan without it.",
  ),
  title: z.string().optional().describe("Title of the plan. Required for `create`, optional for `update`."),
  steps: z.unknown().meta({ type: "array", items: { type: "string" } }).optional().describe(
    "Steps of the plan, in order. Required for `create`, optional for `update`.",
  ),
  step_index: z.int().meta({ minimum: 0 }).optional().describe(
    "Which step, from 0. Required for `mark_step`.",
  ),
  step_status: z.enum(STEP_STATUSES, {
    error: ({ input }) => `Invalid step_status: ${input}. Valid statuses are: ${STEP_STATUSES.join(", ")}`,
  }).optional().describe("New status of the step, for `mark_step`."),
  step_notes: z.string().optional().describe("New notes on the step, for `mark_step`."),
});

type Input = z.output<typeof input>;

export default defineTool({
  name: "planning",
  description:
    "Keeps plans for tasks of several steps, for as long as the session: makes and changes them, and tracks the progress " +
    "of their steps. `create` makes a plan the active one; `mark_step` sets the status or the notes of a step; `update` " +
    "replaces the title or all steps, where a step that stays the same at its place keeps its status.",
  input,
  output: z.string(),
  needs: {},
  readOnly: false,
  parallel: false,
  stepPart: "plan",
  keepsPlans: STATE_KEY,
  examples: [
    {
      line: "command=create plan_id=trip title='A trip' steps='[\"book\",\"pack\"]' --session today",
      meaning: "Make a plan that later calls with this session find",
    },
  ],
  limits: { timeoutMs: 10_000 },
  async run(request, { session, warn }) {
    const book = await load(session);
    if (request.command === "list" && book.plans.length === 0) warn(KEPT);
    const text = COMMAND[request.command](request, book);
    if (request.command !== "list" && request.command !== "get") await session.set(STATE_KEY, book);
    return text;
  },
  errorText: ({ message }) => `Error: ${message}`,
});

const KEPT =
  "A plan is kept as long as its session: bulkhead call finds it with the --session ID it was made with";

async function load(session: SessionState): Promise<PlanBook> {
  return readPlanBook(await session.get(STATE_KEY));
}

/** Each changes the book and returns what the model sees. */
const COMMAND: Record<typeof COMMANDS[number], (request: Input, book: PlanBook) => string> = {
  create,
  update,
  list: (_request, book) =>
    book.plans.length > 0
      ? renderPlans(book)
      : "No plans available. Create a plan with the 'create' command.",
  get: (request, book) => renderPlan(findOrActive(request, book)),
  set_active(request, book) {
    const plan = find(requiredId(request), book);
    book.active = plan.id;
    return `Plan '${plan.id}' is now the active plan.\n\n${renderPlan(plan)}`;
  },
  mark_step: markStep,
  delete(request, book) {
    const plan = find(requiredId(request), book);
    book.plans = book.plans.filter((other) => other !== plan);
    if (book.active === plan.id) book.active = null;
    return `Plan '${plan.id}' has been deleted.`;
  },
};

function create(request: Input, book: PlanBook): string {
  const id = requiredId(request);
  if (book.plans.some((plan) => plan.id === id)) {
    throw invalid(`A plan with ID '${id}' already exists. Use 'update' to modify existing plans.`);
  }
  if (!request.title) throw invalid("Parameter `title` is required for command: create");
  const steps = textsOf(request.steps);
  if (steps === null || steps.length === 0) {
    throw invalid("Parameter `steps` must be a non-empty list of strings for command: create");
  }
  if (book.plans.length >= MAX_PLANS) {
    throw new ToolError("limit_exceeded", `A session keeps at most ${MAX_PLANS} plans: delete one first`);
  }
  checkSizes([id, request.title], steps);
  const plan: Plan = { id, title: request.title, steps: steps.map(newStep) };
  book.plans.push(plan);
  book.active = id;
  return `Plan created successfully with ID: ${id}\n\n${renderPlan(plan)}`;
}

function update(request: Input, book: PlanBook): string {
  const plan = find(requiredId(request), book);
  const steps = isGiven(request.steps) ? textsOf(request.steps) : [];
  if (steps === null) throw invalid("Parameter `steps` must be a list of strings for command: update");
  checkSizes([request.title ?? ""], steps);
  if (request.title) plan.title = request.title;
  if (steps.length > 0) {
    const before = plan.steps;
    plan.steps = steps.map((text, index) => before[index]?.text === text ? before[index] : newStep(text));
  }
  return `Plan updated successfully: ${plan.id}\n\n${renderPlan(plan)}`;
}

function markStep(request: Input, book: PlanBook): string {
  const plan = findOrActive(request, book);
  const { step_index: index, step_status: status, step_notes: notes } = request;
  if (index === undefined) throw invalid("Parameter `step_index` is required for command: mark_step");
  const step = plan.steps[index];
  if (!step) {
    throw invalid(
      `Invalid step_index: ${index}. Valid indices range from 0 to ${plan.steps.length - 1}.`,
    );
  }
  checkSizes([notes ?? ""], []);
  if (status) step.status = status;
  if (notes) step.notes = notes;
  return `Step ${index} updated in plan '${plan.id}'.\n\n${renderPlan(plan)}`;
}

function requiredId({ command, plan_id: id }: Input): string {
  if (id) return id;
  throw invalid(`Parameter \`plan_id\` is required for command: ${command}`);
}

function findOrActive({ plan_id: id }: Input, book: PlanBook): Plan {
  if (id) return find(id, book);
  if (book.active !== null) return find(book.active, book);
  throw invalid("No active plan. Please specify a plan_id or set an active plan.");
}

function find(id: string, { plans }: PlanBook): Plan {
  const plan = plans.find((plan) => plan.id === id);
  if (plan) return plan;
  throw new ToolError("not_found", `No plan found with ID: ${id}`, {
    details: { candidates: plans.map(({ id }) => id) },
  });
}

function isGiven(steps: unknown): boolean {
  return steps !== undefined && steps !== null && steps !== "";
}

function textsOf(steps: unknown): string[] | null {
  return Array.isArray(steps) && steps.every((step) => typeof step === "string") ? steps : null;
}

function newStep(text: string): Plan["steps"][number] {
  return { text, status: "not_started", notes: "" };
}

function checkSizes(texts: readonly string[], steps: readonly string[]): void {
  if (steps.length > MAX_STEPS) {
    throw new ToolError("limit_exceeded", `A plan has at most ${MAX_STEPS} steps, got ${steps.length}`);
  }
  const longest = [...texts, ...steps].reduce((max, { length }) => Math.max(max, length), 0);
  if (longest <= MAX_TEXT) return;
  throw new ToolError(
    "limit_exceeded",
    `A text of a plan has at most ${MAX_TEXT} characters, got one of ${longest}: say it in short`,
  );
}

function invalid(message: string): ToolError {
  return new ToolError("invalid_input", message);
}
