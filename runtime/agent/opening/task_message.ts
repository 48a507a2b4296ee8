import { basename, resolve } from "@std/path";

import type { Task } from "../../../schemas/agent/agent.ts";
import type { Part } from "../../../schemas/agent/chat.ts";
import { ToolError } from "../../../schemas/error.ts";
import { stripControls } from "../../text/strip_controls.ts";
import { namedFileError } from "../../walls/files/system_error.ts";
import { attachFiles, type AttachPlace, labelPicture } from "./attach_files.ts";
import { keepPicture, MAX_PICTURE_BYTES, tooLarge } from "../../state/keep_picture.ts";
import { markBlock } from "../../text/mark_block.ts";
import { readPlainSlowly } from "../../walls/files/open_plain.ts";

/** Longest prompt, and longest text from stdin, in characters. */
const MAX_CHARS = 1024 * 1024;
const MAX_PICTURES = 20;

/** What a person gives an agent. */
export interface TaskSources {
  /** What stands on the command line; `null` if what comes from stdin is the prompt. */
  prompt: string | null;
  /** What was piped in; `null` if nothing was. */
  stdin: string | null;
  /** What was said before, in a conversation that a client remembers by itself. @default nothing */
  before?: string | null;
  /** Files of pictures, as `--image` names them. */
  images: readonly string[];
}

/**
 * Makes the task of a run: the prompt, what was piped in beside it as a marked block, the files that the prompt names as
 * `@path`, the pictures. Needs `read` of these files, and `write` of the pictures' folder.
 *
 * @throws {ToolError} `invalid_input` if there is no prompt, or a file is not a picture; `limit_exceeded` for
 * an input that is too large; `permission_denied` for a file that must not be read; `not_found`
 */
export async function makeTask(sources: TaskSources, place: AttachPlace): Promise<Task> {
  const { prompt, stdin, images } = sources;
  const wanted = checkPrompt(prompt ?? stdin ?? "");
  const block = prompt === null || stdin === null || stdin.trim() === "" ? [] : [stdinBlock(stdin)];
  const attached = await attachFiles(wanted, place);
  if (images.length > MAX_PICTURES) {
    throw new ToolError(
      "limit_exceeded",
      `A task takes at most ${MAX_PICTURES} pictures, got ${images.length}`,
    );
  }
  const pictures: Part[] = [];
  for (const image of images) pictures.push(...await readPicture(image, place));
  return [{ type: "text", text: wanted }, ...block, ...attached, ...pictures];
}

function checkPrompt(prompt: string): string {
  if (prompt.trim() === "") {
    throw new ToolError(
      "invalid_input",
      "No prompt: say what to do",
    );
  }
  checkLength(prompt, "The prompt");
  return prompt.trim();
}

/** What was said before the prompt stands before it. */
export function earlierBlock({ before }: Pick<TaskSources, "before">): Part[] {
  if (!before?.trim()) return [];
  checkLength(before, "The conversation before the prompt");
  return [{ type: "text", text: markBlock("conversation", stripControls(before)) }];
}

function stdinBlock(text: string): Part {
  checkLength(text, "The text from stdin");
  return { type: "text", text: markBlock("stdin", stripControls(text)) };
}

function checkLength(text: string, what: string): void {
  if (text.length <= MAX_CHARS) return;
  throw new ToolError(
    "limit_exceeded",
    `${what} has ${text.length} characters, the limit is ${MAX_CHARS}: put it into a file for the tools to read`,
  );
}

/** The person names the file with a flag of its own. So it needs no grant, but it must be a picture. */
async function readPicture(name: string, { cwd, pictures }: AttachPlace): Promise<Part[]> {
  const path = resolve(cwd, name);
  const bytes = await readFile(path, name);
  return labelPicture(basename(path), await keepPicture(bytes, { name: basename(path), folder: pictures }));
}

async function readFile(path: string, name: string): Promise<Uint8Array> {
  try {
    const { isFile, size } = await Deno.stat(path);
    if (!isFile) throw new ToolError("invalid_input", `Cannot use "${name}" as a picture: it is not a file`);
    if (size > MAX_PICTURE_BYTES) throw tooLarge(name, size);
    const bytes = await readPlainSlowly(path, { maxBytes: MAX_PICTURE_BYTES, follows: true });
    if (bytes === null) throw new Deno.errors.NotFound(path);
    return bytes;
  } catch (error) {
    throw namedFileError(error, "read", name);
  }
}
