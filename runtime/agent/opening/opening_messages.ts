import type { Message } from "../../../schemas/agent/chat.ts";
import { ToolError } from "../../../schemas/error.ts";
import type { TraceLine } from "../../../schemas/agent/trace.ts";
import type { OfferedTool } from "../../calls/catalog/choose_tools.ts";
import type { Machine } from "../../calls/machine.ts";
import type { AttachPlace } from "./attach_files.ts";
import { readProjectDoc } from "./project_doc.ts";
import { runFiles } from "./run_files.ts";
import { makeSystemPrompt } from "./system_prompt.ts";
import { makeTask, type TaskSources } from "./task_message.ts";

/** What a conversation begins with, or goes on with. */
export interface Opening extends TaskSources {
  /** Role prompts. */
  roles: readonly string[];
  /** The project's own instructions are read. */
  project: boolean;
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
  return [
    ...hasSystem ? [] : [systemMessage(opening)],
    ...hasTask ? [] : await projectMessages(opening),
    await taskMessage(opening),
  ];
}

function systemMessage({ machine, offered, boxed, hasPerson, roles }: Opening): Message {
  const facts = { offered, grants: machine.grants, boxed, hasPerson, date: today(), roles };
  return { role: "system", content: makeSystemPrompt(facts) };
}

/** The person's day. */
function today(): string {
  const now = new Date();
  const parts = [now.getFullYear(), now.getMonth() + 1, now.getDate()];
  return parts.map((part) => String(part).padStart(2, "0")).join("-");
}

async function projectMessages({ project, machine, cwd, warn }: Opening): Promise<Message[]> {
  if (!project) return [];
  const { grants, home } = machine;
  const doc = await readProjectDoc(runFiles(grants, home), { workspace: grants.workspace, cwd });
  for (const cut of doc?.cut ?? []) warn(cut);
  return doc === null ? [] : [doc.message];
}

async function taskMessage({ machine, cwd, tell, ...sources }: Opening): Promise<Message> {
  const { grants, home, artifacts } = machine;
  const task = await makeTask(sources, {
    files: runFiles(grants, home),
    cwd,
    workspace: grants.workspace,
    pictures: artifacts,
    ...(tell && { tell }),
  });
  return { role: "user", kind: "task", content: task };
}
