/** How an agent works from step to step, by the name of each way. */
export const THINKING_KINDS = {
  tools: "The model calls tools, as many as it likes in one reply; a reply without a call is the answer",
  sgr:
    "Each reply is one object: what the model thinks of the work, then exactly one tool with its arguments",
  "sgr-tools": "Each step is two calls: one that says how the work stands, then one of another tool",
  plan: "The model makes a plan; its steps are done one after the other, each by its executor, and summed up",
} as const;

/** How an agent works from step to step. */
export type ThinkingKind = keyof typeof THINKING_KINDS;

/**
 * Texts that take the place of the usual ones. A placeholder that is not named here stays as it is, and `{lbrace}` and
 * `{rbrace}` are braces.
 */
export interface ThinkingPrompts {
  /** The system prompt. `{available_tools}`: numbered lines of names and descriptions; `{current_date}`. @default ours */
  system?: string;
  /**
   * The person's request as the model reads it. `{task}`: the request; `{current_date}`. Without `{task}` the text stands
   * behind the request. @default the request alone
   */
  request?: string;
  /**
   * The person's answer to questions, as the model reads it. `{clarifications}`: the answer; `{current_date}`. Without
   * `{clarifications}` the text stands behind the answer. @default ours
   */
  clarification?: string;
}

/** Who does steps of a plan. */
export interface Executor {
  /** What it is good at: the model that plans reads it. */
  description: string;
  /** Takes the place of the system prompt in its steps. `{available_tools}` and `{current_date}` are filled in. @default the run's */
  system?: string;
  /** The tools of its steps, by offered or full name. @default all of the run */
  tools?: readonly string[];
  /** Replies with calls in one of its steps, after which only a text is asked for and the step is blocked. @default no bound */
  max_iterations?: number;
}

/** How an agent thinks. */
export interface ThinkingSettings {
  /** The way. @default "tools" */
  kind?: ThinkingKind;
  /** Of `tools`: each reply must call a tool, as far as one of them ends the run. @default false */
  must_call?: boolean;
  /** What the model is told. @default the usual texts */
  prompts?: ThinkingPrompts;
  /** Of `plan`: a step that begins with `[NAME]` goes to the executor of that name in small letters, all others to the first. @default one, with all tools */
  executors?: Readonly<Record<string, Executor>>;
}

/** In which state an agent is. */
export const AGENT_STATES = [
  "inited",
  "researching",
  "waiting_for_clarification",
  "completed",
  "failed",
  "error",
  "cancelled",
] as const;

/** In which state an agent is: the last four are ends. */
export type AgentState = typeof AGENT_STATES[number];
