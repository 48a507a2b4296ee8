import type { ThinkingKind } from "../../../schemas/step/thinking.ts";
import type { researchWeb } from "../servers/research_web.ts";
import type { ScriptedTurn } from "../scripted_model.ts";

/** What a model does: a call of a tool, by its name. */
export type Act = readonly [tool: string, input: object];

/** What searches find, by their query: the second finds pages of the first again, spelled otherwise, and an old address. */
export const FINDS: Readonly<Record<string, readonly string[]>> = {
  makers: ["read-a", "b", "c"],
  tests: ["c", "b?utm_source=x", "d", "old-e", "read-a#part"],
};

export const TITLE = "Tea kettles: a/b?";
export const ANSWER = "The first is the best.";
export const QUESTION = "Which kettles do you mean?";

export const CLARIFY: Act = ["clarification_tool", {
  reasoning: "it is not clear",
  unclear_terms: ["kettles"],
  assumptions: ["for tea", "for fish"],
  questions: [QUESTION],
}];

const THOUGHT = {
  reasoning_steps: ["look at the task", "do the next step"],
  current_situation: "the work goes on",
  plan_status: "as planned",
  enough_data: false,
  remaining_steps: ["go on"],
  task_completed: false,
};

/** A report that cites four of five sources. */
export function reportOf({ confidence = "high" }: { confidence?: string } = {}): Act {
  return ["create_report_tool", {
    reasoning: "all is found",
    title: TITLE,
    user_request_language_reference: "Compare kettles",
    content: "Two makers are known [1, 3].\n\nThe tests of 2024 say so [4]. One moved [5].",
    confidence,
  }];
}

/** A whole piece of research: plan, search, read, ask, adapt, search again, read on, report. */
export function researchActs({ page }: Pick<ReturnType<typeof researchWeb>, "page">): Act[] {
  return [
    ["generate_plan_tool", {
      reasoning: "makers first",
      research_goal: "compare kettles",
      planned_steps: ["find makers", "find tests", "compare"],
      search_strategies: ["by maker", "by test"],
    }],
    ["web_search_tool", { reasoning: "to begin", query: "makers" }],
    ["extract_page_content_tool", { reasoning: "read it", urls: [`${page("read-a")}#part`, page("c")] }],
    CLARIFY,
    ["adapt_plan_tool", {
      reasoning: "for tea",
      original_goal: "compare kettles",
      new_goal: "compare tea kettles",
      plan_changes: ["tea alone"],
      next_steps: ["find tests", "report"],
    }],
    ["web_search_tool", { reasoning: "to go on", query: "tests" }],
    ["extract_page_content_tool", { reasoning: "read on", urls: [page("old-e"), page("d")], start: 1000 }],
    reportOf(),
  ];
}

export const FINISH: Act = ["final_answer_tool", {
  reasoning: "the report is written",
  completed_steps: ["searched", "reported"],
  answer: ANSWER,
  status: "completed",
}];

/** The replies of a model that does these acts, in one way of thinking. */
export function repliesOf(kind: ThinkingKind, acts: readonly Act[]): ScriptedTurn[] {
  const call = ([name, input]: Act): ScriptedTurn => ({ tool_calls: [{ name, arguments: input }] });
  switch (kind) {
    case "tools":
      return acts.map(call);
    case "sgr":
      return acts.map(([name, input]) => ({
        text: JSON.stringify({ ...THOUGHT, function: { tool_name_discriminator: name, ...input } }),
      }));
    case "sgr-tools":
      return acts.flatMap((act) => [call(["reasoning_tool", THOUGHT]), call(act)]);
    case "plan":
      return [
        { text: JSON.stringify({ title: "Kettles", steps: ["research", "report"] }) },
        ...acts.slice(0, -1).map(call),
        { text: "The research is done." },
        ...acts.slice(-1).map(call),
        { text: "The report is written." },
        { text: ANSWER },
      ];
  }
}

export function expectedReport({ page }: Pick<ReturnType<typeof researchWeb>, "page">): string {
  const [, { content }] = reportOf() as [string, { content: string }];
  const sources = (["read-a", "c", "d", "old-e"] as const).map((name, at) =>
    `[${[1, 3, 4, 5][at]}] Page ${name} - ${page(name)}`
  );
  return `# ${TITLE}\n\n*Confidence: high*\n\n${content}\n\n---\n\n## Sources\n\n${sources.join("  \n")}\n`;
}
