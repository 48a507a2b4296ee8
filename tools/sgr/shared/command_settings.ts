import { ToolError } from "../../../schemas/error.ts";
import type { Told } from "../../../schemas/tool.ts";
import { wholeNumber } from "./web_settings.ts";

/** The variables of the tool's own section, as the document's environment names them. */
export const COMMAND = {
  workspacePath: "SGR__TOOLS__RUN_COMMAND_TOOL__WORKSPACE_PATH",
  mode: "SGR__TOOLS__RUN_COMMAND_TOOL__MODE",
  timeoutSeconds: "SGR__TOOLS__RUN_COMMAND_TOOL__TIMEOUT_SECONDS",
  includePaths: "SGR__TOOLS__RUN_COMMAND_TOOL__INCLUDE_PATHS",
  excludePaths: "SGR__TOOLS__RUN_COMMAND_TOOL__EXCLUDE_PATHS",
} as const;

const DEFAULT_SECONDS = 60;
const MOST_SECONDS = 600;

/** What the user sets of the tool. */
export interface CommandSettings {
  /** Folder to start in. */
  folder: string;
  /** `true` for `unsafe`, which opens nothing here. */
  isUnsafe: boolean;
  /** Longest time of a command. */
  seconds: number;
  /** The only programs that may be started: names, paths, folders. `[]` for no such bound. */
  include: readonly string[];
  /** Programs that may not be started. */
  exclude: readonly string[];
}

/** @throws {ToolError} `configuration` for a value that cannot be meant */
export function commandSettings(told: Pick<Told, "settings">): CommandSettings {
  const { settings } = told;
  const mode = settings[COMMAND.mode]?.trim() || "safe";
  if (mode !== "safe" && mode !== "unsafe") throw wrong(COMMAND.mode, mode, "safe or unsafe");
  const seconds = wholeNumber(told, { variable: COMMAND.timeoutSeconds, least: 1, usual: DEFAULT_SECONDS });
  return {
    folder: settings[COMMAND.workspacePath]?.trim() || ".",
    isUnsafe: mode === "unsafe",
    seconds: Math.min(seconds, MOST_SECONDS),
    include: listIn(COMMAND.includePaths, settings),
    exclude: listIn(COMMAND.excludePaths, settings),
  };
}

/** A list as JSON, or with commas between. */
function listIn(variable: string, settings: Told["settings"]): string[] {
  const text = settings[variable]?.trim() ?? "";
  if (!text.startsWith("[")) return text.split(",").map((part) => part.trim()).filter((part) => part !== "");
  try {
    const list: unknown = JSON.parse(text);
    if (Array.isArray(list) && list.every((item) => typeof item === "string" && item !== "")) return list;
  } catch {
    // It is told below, as for any other value.
  }
  throw wrong(variable, text, 'a list of paths, such as ["/usr/bin/git"]');
}

function wrong(variable: string, value: string, wanted: string): ToolError {
  return new ToolError("configuration", `${variable} is "${value}": it must be ${wanted}`, {
    details: { variable, value },
  });
}
