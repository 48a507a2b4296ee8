import {
  COMMAND_NAMES,
  commandOf,
  CONFIG_ACTIONS,
  HELP_SUBJECTS,
  optionsOf,
  PROVIDERS,
  SHELLS,
} from "../args/command_table.ts";
import { MCP_CLIENTS } from "../../mcp/install/clients.ts";
import type { Positional } from "../args/command_kinds.ts";
import { argumentWords, type CompletedCall, type CompletionNames } from "./completion_names.ts";
import { flagOf, OPTION_NAMES, type OptionName, optionOf, valuesOf } from "../args/options/option_table.ts";

/** Returns the script for fish 3. */
export function completeFish(names: CompletionNames): string {
  const commands = COMMAND_NAMES.map((name) =>
    `complete -c bulkhead -n 'not __bulkhead_command >/dev/null' -a ${name} -d ${
      quote(commandOf(name).summary)
    }`
  );
  const actions = COMMAND_NAMES.flatMap((name) =>
    Object.entries(commandOf(name).actions ?? {}).map(([action, { summary }]) =>
      `complete -c bulkhead -n '__bulkhead_after ${name}' -a ${action} -d ${quote(summary)}`
    )
  );
  const starting = (first: Positional) =>
    COMMAND_NAMES.filter((name) => commandOf(name).positionals[0] === first);
  const first = (kind: Positional, list: readonly string[]) =>
    `complete -c bulkhead -n '__bulkhead_after ${starting(kind).join(" ")}' -a '${list.join(" ")}'`;
  const withFiles = [...starting("tool"), ...starting("file")].join(" ");
  const ofSessions = starting("session").filter((name) => commandOf(name).actions === undefined).join(" ");
  const calling = COMMAND_NAMES.filter((name) => commandOf(name).positionals.includes("argument")).join(" ");
  return `# fish completion for bulkhead

function __bulkhead_command
    for word in (commandline -opc)[2..-1]
        if contains -- $word ${COMMAND_NAMES.join(" ")}
            echo $word
            return 0
        end
    end
    return 1
end

function __bulkhead_in
    set -l command (__bulkhead_command)
    and contains -- $command $argv
end

function __bulkhead_after
    contains -- (commandline -opc)[-1] $argv
end

${functions(calling)}

complete -c bulkhead -f
complete -c bulkhead -n '__bulkhead_in sessions; and __bulkhead_after show rm' -a '(__bulkhead_sessions)'
complete -c bulkhead -n '__bulkhead_after ${ofSessions}' -a '(__bulkhead_sessions)'
complete -c bulkhead -n '__bulkhead_in ${starting("folder").join(" ")}' -a '(__fish_complete_directories)'
complete -c bulkhead -n '__bulkhead_in ${withFiles}; and not __bulkhead_after ${
    starting("tool").join(" ")
  }' -F
${[...commands, ...actions].join("\n")}
${first("tool", names.tools)}
${names.calls.map(argumentLine).join("\n")}
${first("shell", SHELLS)}
${first("provider", PROVIDERS)}
${first("agent", names.agents)}
${first("configAction", CONFIG_ACTIONS)}
complete -c bulkhead -n '__bulkhead_in mcp; and __bulkhead_after install' -a '${MCP_CLIENTS.join(" ")}'
${first("subject", [...HELP_SUBJECTS, ...names.tools])}
${OPTION_NAMES.map((name) => optionLine(name, names)).join("\n")}
`;
}

/** What looks behind the name of a tool, and for sessions. */
function functions(calling: string): string {
  return `function __bulkhead_calls
    __bulkhead_in ${calling}; or return 1
    for word in (commandline -opc)[3..-1]
        contains -- $word $argv; and return 0
    end
    return 1
end

function __bulkhead_sessions
    set -l state $XDG_STATE_HOME
    test -n "$state"; or set state $HOME/.local/state
    for trace in $state/bulkhead/sessions/*/trace.jsonl
        string split / -- $trace | tail -n 2 | head -n 1
    end
end`;
}

function argumentLine(call: CompletedCall): string {
  return `complete -c bulkhead -n '__bulkhead_calls ${call.names.join(" ")}' -a '${
    argumentWords(call).join(" ")
  }'`;
}

function optionLine(name: OptionName, names: CompletionNames): string {
  const option = optionOf(name);
  const short = option.short ? ` -s ${option.short}` : "";
  const commands = COMMAND_NAMES.filter((command) => optionsOf(command).includes(name));
  const isCommon = commands.length === COMMAND_NAMES.length;
  const condition = isCommon ? "" : ` -n '__bulkhead_in ${commands.join(" ")}'`;
  const spelled = `-l ${flagOf(name).slice(2)}${short}${valueOf(name, names)}`;
  return `complete -c bulkhead${condition} ${spelled} -d ${quote(option.summary)}`;
}

/** Grants and the like get no value here: fish has no options whose value may only follow `=`, or be left out. */
function valueOf(name: OptionName, { tools, toolsets, agents }: CompletionNames): string {
  const option = optionOf(name);
  if (["flag", "grant", "optional"].includes(option.kind)) return "";
  const offered = valuesOf(option);
  if (offered) return ` -x -a '${offered.join(" ")}'`;
  if (option.complete === "tool") return ` -x -a '${tools.join(" ")}'`;
  if (option.complete === "toolset") return ` -x -a '${toolsets.join(" ")}'`;
  if (option.complete === "agent") return ` -x -a '${agents.join(" ")}'`;
  if (option.complete === "folder") return " -x -a '(__fish_complete_directories)'";
  return option.complete === "file" ? " -r -F" : " -x";
}

function quote(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
