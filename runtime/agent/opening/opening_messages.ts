import type { Message } from "../../../schemas/agent/chat.ts";
import { ToolError } from "../../../schemas/error.ts";
import type { TraceLine } from "../../../schemas/agent/trace.ts";
import type { ThinkingSettings } from "../../../schemas/step/thinking.ts";
import type { OfferedTool } from "../../calls/catalog/choose_tools.ts";
import type { Machine } from "../../calls/machine.ts";
import type { AttachPlace } from "./attach_files.ts";
import { readProjectDoc } from "./project_doc.ts";
import { runFiles } from "./run_files.ts";
import { makeSystemPrompt } from "./system_prompt.ts";
import { today } from "./today.ts";
import { clarificationMessage, fillTemplate, numberedTools, placed } from "../thinking/prompts.ts";
import { earlierBlock, makeTask, type TaskSources } from "./task_message.ts";

/** Whose words go with a task. */
export interface OpeningWords {
  /** Role prompts. */
  roles: readonly string[];
  /** The project's own instructions are read. */
  project: boolean;
  /** How the agent works, with the user's texts. */
  thinking: ThinkingSettings;
}

/** What a conversation begins with, or goes on with. */
export interface Opening extends TaskSources, OpeningWords {
  /** The user's folder. */
  cwd: string;
  machine: Machine;
  offered: readonly OfferedTool[];
  /** Programs run in the box. */
  boxed: boolean;
  /** A person is there to answer questions. */
  hasPerson: boolean;
  /** What earlier runs of the session left. */
  earlier: readonly TraceLine[];
  warn(message: string): void;
  /** Hears what goes with the prompt. */
  tell?: AttachPlace["tell"];
}

/**
 * Makes the first messages of a run: system, project and task. For a resumed session, adds only the missing
 * ones and the new task. Needs `read` of the files that they name.
 *
 * @throws {ToolError} As `makeTask` does
 */
export async function openingMessages(opening: Opening): Promise<Message[]> {
  const { earlier, prompt, stdin, images } = opening;
  const said = earlier.flatMap((line) => line.t === "message" ? [line.message] : []);
  const hasSystem = said.some(({ role }) => role === "system");
  const hasTask = said.some((message) => message.role === "user" && message.kind === "task");
  const isAsked = prompt !== null || (stdin !== null && stdin.trim() !== "") || images.length > 0;
  if (hasTask && !isAsked) return [];
  if (earlier.length > 0 && !isAsked) {
    throw new ToolError("not_found", "The session ended before its task was kept: say again what to do");
  }
  if (hasTask && isWaiting(earlier, opening)) return [await answerMessage(opening)];
  return [
    ...hasSystem ? [] : [systemMessage(opening)],
    ...hasTask ? [] : await projectMessages(opening),
    await taskMessage(opening),
  ];
}

/** Whether the session ended with questions to the person, or was killed behind them. */
function isWaiting(earlier: readonly TraceLine[], { offered }: Opening): boolean {
  const asks = new Set(
    offered.filter(({ entry: { tool } }) => tool.step_part === "clarify" || tool.step_part === "answer")
      .map(({ entry: { tool } }) => tool.full_name),
  );
  const spoke = earlier.findLastIndex((line) =>
    line.t === "message" && line.message.role === "user" &&
    (line.message.kind === "task" || line.message.kind === "clarification")
  );
  return earlier.slice(spoke + 1).some((line) => line.t === "result" && line.ok && asks.has(line.tool));
}

/** What the person says to a session that waits for an answer. */
async function answerMessage(opening: Opening): Promise<Message> {
  const task = await taskMessage({ ...opening, thinking: {}, before: null });
  if (task.role !== "user") return task;
  const [first, ...rest] = task.content;
  const said = first?.type === "text" ? first.text : "";
  const message = clarificationMessage(said, opening.thinking.prompts?.clarification, today());
  return message.role === "user" ? { ...message, content: [...message.content, ...rest] } : message;
}

function systemMessage({ machine, offered, boxed, hasPerson, roles, thinking }: Opening): Message {
  const { kind, prompts: { system } = {} } = thinking;
  const date = today();
  const lead = system && fillTemplate(system, {
    available_tools: numberedTools(
      offered.map(({ entry: { tool }, name }) => ({ name, description: tool.description })),
    ),
    current_date: date,
  });
  const facts = { offered, grants: machine.grants, boxed, hasPerson, date, roles };
  return {
    role: "system",
    content: makeSystemPrompt({ ...facts, ...(kind && { kind }), ...(lead && { lead }) }),
  };
}

async function projectMessages({ project, machine, cwd, warn }: Opening): Promise<Message[]> {
  if (!project) return [];
  const { grants, home } = machine;
  const doc = await readProjectDoc(runFiles(grants, home), { workspace: grants.workspace, cwd });
  for (const cut of doc?.cut ?? []) warn(cut);
  return doc === null ? [] : [doc.message];
}

async function taskMessage({ machine, cwd, tell, thinking, ...sources }: Opening): Promise<Message> {
  const { grants, home, artifacts } = machine;
  const task = await makeTask(sources, {
    files: runFiles(grants, home),
    cwd,
    workspace: grants.workspace,
    pictures: artifacts,
    ...(tell && { tell }),
  });
  const { request } = thinking.prompts ?? {};
  const [first, ...rest] = task;
  const before = earlierBlock(sources);
  if (request === undefined || first?.type !== "text") {
    return { role: "user", kind: "task", content: [...before, ...task] };
  }
  const text = placed(request, { task: first.text, current_date: today() }, "task");
  return { role: "user", kind: "task", content: [...before, { type: "text", text }, ...rest] };
}
