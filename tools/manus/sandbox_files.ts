import * as z from "zod";

import type { ToolContext } from "../../schemas/context.ts";
import { ToolError } from "../../schemas/error.ts";
import { APART_FOLDER } from "../../schemas/program.ts";
import { defineTool } from "../../schemas/tool.ts";
import { notThere } from "../engine/edit/explain_missing.ts";
import { replacement, signed } from "../engine/summary.ts";
import { changeFile, readSandboxFile, shownPath } from "./shared/sandbox_file.ts";
import { sandboxPath } from "./shared/sandbox_path.ts";

const MOST_BYTES = 10 * 1024 * 1024;
const DEFAULT_MODE = "644";

const input = z.object({
  action: z.enum(["create_file", "str_replace", "full_file_rewrite", "delete_file"]).describe("What to do."),
  file_path: z.string().optional().describe(
    `Path of the file in ${APART_FOLDER}, such as 'src/main.py'.`,
  ),
  file_contents: z.string().optional().describe(
    "The whole content, for create_file and full_file_rewrite; may be empty.",
  ),
  old_str: z.string().optional().describe("Text to replace, for str_replace: it must occur exactly once."),
  new_str: z.string().optional().describe("What takes its place; empty to delete the text."),
  permissions: z.string().optional().describe(
    "Permissions of the file in octal, such as '755'. Default: 644 for a new file, those that it has for another.",
  ),
});

type Input = z.output<typeof input>;

const output = z.object({ message: z.string(), file_path: z.string() });

export default defineTool({
  name: "sandbox_files",
  description:
    `Makes and changes files in the session's private sandbox, in its folder ${APART_FOLDER}; paths are relative to it. Files of the user are not there.\n` +
    "* create_file makes a new file with its folders, and never overwrites.\n" +
    "* str_replace replaces a text that occurs exactly once; an empty `new_str` deletes it.\n" +
    "* full_file_rewrite replaces the whole content of a file; an empty `file_contents` empties it.\n" +
    "* delete_file removes a file.",
  seeAlso: ["{sandbox_shell} reads files."],
  input,
  output,
  needs: { run: "granted" },
  readOnly: false,
  parallel: false,
  examples: [
    {
      line: "action=create_file file_path=notes/tea.txt file_contents='green tea'",
      meaning: "Make a file in the private sandbox",
    },
  ],
  limits: { timeoutMs: 60_000, concurrency: 1 },
  targets: () => [{ kind: "run", value: "sh", apart: true }],
  async run(asked, context) {
    const path = sandboxPath(required(asked, "file_path"));
    const message = await work(path, asked, context);
    const file_path = shownPath(path);
    const isPage = INDEX.test(file_path) &&
      (asked.action === "create_file" || asked.action === "full_file_rewrite");
    return { message: message + (isPage ? await pageNote(file_path, context) : ""), file_path };
  },
  preview: ({ file_contents, old_str, new_str = "" }) =>
    old_str === undefined ? signed("+", file_contents ?? "") : replacement(old_str, new_str),
  text: ({ message }) => message,
  errorText: ({ message }) => `Error: ${message}`,
});

/** The page that a browser is shown first, in any case of letters. */
const INDEX = /^index\.html$/i;

/** Says where the page is served; nothing where nobody could open it, or it cannot be served. */
async function pageNote(name: string, { programs, warn }: ToolContext): Promise<string> {
  try {
    const url = await programs.serveApart();
    if (url === null) return "";
    const page = name === "index.html" ? url : url + name;
    return `\n\n[Auto-detected index.html - HTTP server available at: ${page}]\n` +
      "[Note: it is served on this machine until the run ends. Give this URL to the user; do not start another server.]";
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    warn(error.message);
    return "";
  }
}

async function work(path: string, asked: Input, context: ToolContext): Promise<string> {
  const shown = shownPath(path);
  switch (asked.action) {
    case "create_file": {
      const content = bounded(required(asked, "file_contents"));
      await changeFile(context, path, { action: "make", content, mode: modeOf(asked) ?? DEFAULT_MODE })
        .catch(advised(11, ". Use full_file_rewrite to modify existing files."));
      return `File '${shown}' created successfully.`;
    }
    case "full_file_rewrite": {
      const content = bounded(required(asked, "file_contents"));
      await changeFile(context, path, { action: "write", content, mode: modeOf(asked), replaces: null })
        .catch(advised(12, ". Use create_file to create a new file."));
      return `File '${shown}' completely rewritten successfully.`;
    }
    case "str_replace":
      await replace(path, asked, context);
      return "Replacement successful.";
    case "delete_file":
      await changeFile(context, path, { action: "remove" });
      return `File '${shown}' deleted successfully.`;
  }
}

async function replace(path: string, asked: Input, context: ToolContext): Promise<void> {
  const oldText = required(asked, "old_str");
  const newText = required(asked, "new_str");
  if (oldText === "") throw new ToolError("invalid_input", "old_str must not be empty");
  const { bytes, sum } = await readSandboxFile(context, path, { maxBytes: MOST_BYTES });
  const content = decode(bytes, path);
  const starts = startsOf(content, oldText);
  if (starts.length === 0) throw notThere(content, oldText, `String '${oldText}' not found in file`);
  if (starts.length > 1) {
    const lines = starts.map((at) => content.slice(0, at).split("\n").length);
    throw new ToolError(
      "invalid_input",
      `Multiple occurrences found in lines [${
        [...new Set(lines)].join(", ")
      }]. Please ensure string is unique`,
    );
  }
  const at = starts[0]!;
  const changed = bounded(content.slice(0, at) + newText + content.slice(at + oldText.length));
  await changeFile(context, path, { action: "write", content: changed, mode: modeOf(asked), replaces: sum });
}

/** Most places that are told. */
const MOST_PLACES = 100;

/** Where a text occurs, overlaps included. */
function startsOf(content: string, text: string): number[] {
  const starts: number[] = [];
  for (
    let at = content.indexOf(text);
    at !== -1 && starts.length < MOST_PLACES;
    at = content.indexOf(text, at + 1)
  ) {
    starts.push(at);
  }
  return starts;
}

const NEEDS: Readonly<Record<Input["action"], string>> = {
  create_file: "file_path and file_contents are",
  str_replace: "file_path, old_str, and new_str are",
  full_file_rewrite: "file_path and file_contents are",
  delete_file: "file_path is",
};

function required(asked: Input, name: "file_path" | "file_contents" | "old_str" | "new_str"): string {
  const value = asked[name];
  if (value !== undefined && !(name === "file_path" && value === "")) return value;
  throw new ToolError("invalid_input", `${NEEDS[asked.action]} required for ${asked.action}`);
}

function modeOf({ permissions }: Input): string | null {
  if (permissions === undefined || /^0?[0-7]{3}$/.test(permissions)) return permissions ?? null;
  throw new ToolError(
    "invalid_input",
    `permissions must be three octal digits such as 644, not ${JSON.stringify(permissions)}`,
  );
}

function bounded(content: string): string {
  const bytes = new TextEncoder().encode(content).length;
  if (bytes <= MOST_BYTES) return content;
  throw new ToolError(
    "limit_exceeded",
    `The file would have ${bytes} bytes, more than ${MOST_BYTES}: write less, or use a program in the sandbox`,
  );
}

function decode(bytes: Uint8Array, path: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    throw new ToolError("invalid_input", `File '${shownPath(path)}' is not UTF-8 text`, { cause: error });
  }
}

/** Adds to the message of one failure what to do instead. */
function advised(exitCode: number, advice: string): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof ToolError) || error.details?.exit_code !== exitCode) throw error;
    throw new ToolError(error.code, error.message + advice, { details: error.details, cause: error });
  };
}
