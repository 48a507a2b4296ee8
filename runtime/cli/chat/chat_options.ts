import type { TraceLine } from "../../../schemas/agent/trace.ts";
import { readFlagWord } from "../../walls/grants/flag_word.ts";
import { GRANTS } from "../args/command_kinds.ts";
import { type OptionName, optionOf, type Options } from "../args/options/option_table.ts";
import { parseArgv } from "../args/parse_argv.ts";

/** The run of a session that a chat goes on with. */
type Begun = Extract<TraceLine, { t: "run" }>;

const SCOPES = ["allowRead", "allowWrite", "allowNet", "allowRun"] as const;
const CHOICES = ["toolset", "tool", "extraTool"] as const;

/** Returns what holds for the next turn: what the session keeps of its last run, and the options of the chat. */
export function optionsNow(begun: Begun | undefined, given: Options): Options {
  if (begun?.settings === undefined) return given;
  const { flags, policy, config, tools, agent } = begun.settings;
  const { options } = parseArgv(["run", ...flags]);
  const kept: Options = {
    ...options,
    ...policy.named && { policy: policy.name },
    ...typeof config === "string" && { config },
    ...tools !== null && { toolset: tools.toolsets, tool: tools.tools, extraTool: tools.extra_tools },
    workspace: begun.workspace,
    // A file that is named now brings agents of its own.
    ...agent !== undefined && given.agents === undefined && {
      agent: agent.name,
      ...agent.file !== null && { agents: agent.file },
    },
  };
  // A choice of tools takes the place of the earlier one.
  const chooses = CHOICES.some((name) => given[name] !== undefined);
  for (const name of CHOICES) if (chooses || kept[name]?.length === 0) delete kept[name];
  return addOptions(kept, given);
}

/** Adds options to others: lists grow, and one of two single values is the added one. */
export function addOptions(before: Options, added: Options): Options {
  const both: Record<string, unknown> = { ...before };
  for (const [name, value] of Object.entries(added)) {
    const { kind } = optionOf(name as OptionName);
    const isList = kind === "grant" || kind === "names" || kind === "several";
    const old = both[name];
    both[name] = isList && Array.isArray(value) && Array.isArray(old)
      ? [...new Set([...old, ...value])]
      : isList && old === true
      ? true
      : value;
  }
  const options = both as Options;
  if (options.allowAll) { for (const name of SCOPES) delete options[name]; }
  return options;
}

/**
 * Reads flags that allow or deny more.
 *
 * @throws {ToolError} `invalid_input` for words that are none
 */
export function readGrants(words: readonly string[], home: string | undefined): Options {
  const { options } = parseArgv(["explain", ...words.map(withDashes)], { home });
  return Object.fromEntries(
    Object.entries(options).filter(([name]) => GRANTS.includes(name as OptionName)),
  );
}

/** Who types `allow-net=example.com` means the flag. */
function withDashes(word: string): string {
  return /^(?:allow|deny)-/.test(readFlagWord(word).flag) ? `--${word}` : word;
}
