/**
 * What part of a step a tool is, for agents that work in steps. Their limits and forced calls look at this and at no name:
 *
 * - `reason`: says how the work stands and does nothing; it comes before the choice of another tool.
 * - `search`: finds sources; it is offered until the limit of searches is reached.
 * - `clarify`: asks the person. Its text is the questions: the run waits for the answer, and the limit of clarifications
 *   counts it.
 * - `answer`: passes the turn to the person. Its text is what the person is told, and the run waits.
 * - `plan`: makes or changes the plan.
 * - `report`: writes down what was found. It is still offered when the limit of steps is reached.
 * - `finish`: gives the answer. It is still offered when the limit of steps is reached.
 */
export type StepPart = "reason" | "search" | "clarify" | "answer" | "plan" | "report" | "finish";

/** How a successful call of a tool ends a run. */
export interface EndingCall {
  /** The argument that says how the task went. */
  status: string;
  /** Its value if the task failed; each other one is a success. */
  failed: string;
  /** The argument that is the run's answer; `null` if the answer is the text of the model's reply. */
  answer: string | null;
}
