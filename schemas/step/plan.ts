/** How far a step of a plan is, in the order of the document of OpenManus. */
export const STEP_STATUSES = ["not_started", "in_progress", "completed", "blocked"] as const;

/** How far a step of a plan is. */
export type StepStatus = typeof STEP_STATUSES[number];

/** A plan. */
export interface Plan {
  /** Unique among the plans of the set's session. */
  id: string;
  /** What it is for. */
  title: string;
  /** What is to be done, in order. */
  steps: PlanStep[];
}

/** A step of a plan. */
export interface PlanStep {
  /** What is to be done. */
  text: string;
  /** How far it is. */
  status: StepStatus;
  /** What is noted about it, `""` if nothing is. */
  notes: string;
}

/** What a session keeps of the tools of a set that plan: the plans in the order in which they were made. */
export interface PlanBook {
  /** Id of the plan that is worked on, `null` if none is. */
  active: string | null;
  /** All plans. */
  plans: Plan[];
}
