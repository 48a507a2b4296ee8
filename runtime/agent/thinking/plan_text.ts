import type { ReplyForm } from "../../../schemas/agent/model.ts";
import { isObject } from "../../../schemas/json/shape.ts";
import type { Plan, StepStatus } from "../../../schemas/step/plan.ts";
import type { Executor } from "../../../schemas/step/thinking.ts";
import { findObject } from "./find_object.ts";

/** The steps of a task of which the model made no plan. */
export const DEFAULT_STEPS = ["Analyze request", "Execute task", "Verify results"];

/** Most steps of a plan. */
const MAX_STEPS = 20;
const MARKS: Readonly<Record<StepStatus, string>> = {
  not_started: "[ ]",
  in_progress: "[→]",
  completed: "[✓]",
  blocked: "[!]",
};

/** An executor with its name. */
export interface NamedExecutor extends Executor {
  name: string;
}

/** The form of a plan. */
export function planForm(executors: Readonly<Record<string, Executor>>): ReplyForm {
  const tags = Object.keys(executors).length > 1 ? " It begins with [NAME] of its executor." : "";
  return {
    name: "plan",
    schema: {
      type: "object",
      properties: {
        title: { type: "string", description: "What the plan is for." },
        steps: {
          type: "array",
          minItems: 1,
          maxItems: MAX_STEPS,
          items: { type: "string", description: `One step that can be checked.${tags}` },
        },
      },
      required: ["title", "steps"],
    },
  };
}

/** Asks for a plan, and says who is there to do its steps. */
export function planRequest(executors: Readonly<Record<string, Executor>>): string {
  const all = Object.entries(executors);
  const lead =
    "Before you do anything, make a plan of the task: a few clear steps, each with a result that can be " +
    'checked. Reply with one JSON object: "title", and "steps", a list of texts.';
  if (all.length < 2) return lead;
  const names = all.map(([name, { description }]) => `- ${name.toUpperCase()}: ${description}`).join("\n");
  return `${lead}\nThese executors do the steps. Begin each step with the name of its executor in brackets, as in ` +
    `[${all[0]![0].toUpperCase()}]:\n${names}`;
}

/** Reads a plan: an object, or a list of steps in lines. @returns What is wrong with it, as a part of a sentence */
export function readPlan(text: string): Pick<Plan, "title" | "steps"> | string {
  const value = findObject(text);
  const listed = typeof value === "string" ? stepsInLines(text) : stepsIn(value);
  const texts = listed.map((step) => step.trim()).filter((step) => step !== "").slice(0, MAX_STEPS);
  if (texts.length === 0) return typeof value === "string" ? value : 'it has no "steps"';
  const title = typeof value !== "string" && typeof value.title === "string" ? value.title : "Plan";
  return { title, steps: texts.map((step) => ({ text: step, status: "not_started", notes: "" })) };
}

function stepsIn(value: Record<string, unknown>): string[] {
  const { arguments: inner } = value;
  const steps = Array.isArray(value.steps) ? value.steps : isObject(inner) ? inner.steps : null;
  if (!Array.isArray(steps)) return [];
  return steps.flatMap((step) => {
    if (typeof step === "string") return [step];
    const found = isObject(step) ? Object.values(step).find((field) => typeof field === "string") : undefined;
    return typeof found === "string" ? [found] : [];
  });
}

function stepsInLines(text: string): string[] {
  return [...text.matchAll(/^\s*(?:\d+[.)]|[-*])\s+(.+)$/gm)].map(([, step = ""]) => step);
}

/** Who does a step: the executor that the first `[NAME]` in it names, else the first one; `null` without executors. */
export function executorOf(
  step: string,
  executors: Readonly<Record<string, Executor>>,
): NamedExecutor | null {
  const named = /\[([A-Za-z_][\w-]*)\]/.exec(step)?.[1]?.toLowerCase();
  const entries = Object.entries(executors);
  const found = entries.find(([name]) => name.toLowerCase() === named) ?? entries[0];
  return found ? { ...found[1], name: found[0] } : null;
}

/** The plan as the model reads it. */
export function showPlanText({ title, steps }: Plan): string {
  const done = steps.filter(({ status }) => status === "completed").length;
  const lines = steps.map(({ text, status, notes }, at) =>
    `${at + 1}. ${MARKS[status]} ${text}${notes === "" ? "" : `\n   ${notes.replaceAll("\n", "\n   ")}`}`
  );
  return `Plan: ${title} (${done} of ${steps.length} steps done)\n${lines.join("\n")}`;
}
