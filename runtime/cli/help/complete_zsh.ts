import {
  COMMAND_NAMES,
  type CommandName,
  commandOf,
  CONFIG_ACTIONS,
  MCP_ACTIONS,
  optionsOf,
  PROVIDERS,
  SHELLS,
} from "../args/command_table.ts";
import { MCP_CLIENTS } from "../../mcp/install/clients.ts";
import { shellQuote } from "../../text/shell_quote.ts";
import { argumentWords, type CompletionNames } from "./completion_names.ts";
import { flagOf, OPTION_NAMES, type OptionName, optionOf, valuesOf } from "../args/options/option_table.ts";
import { TOPIC_NAMES, topicOf } from "../args/topic_table.ts";

/** Returns the script for zsh: to be saved as `_bulkhead` in a folder of `fpath`, or sourced after `compinit`. */
export function completeZsh({ tools, toolsets, calls, agents }: CompletionNames): string {
  const commands = COMMAND_NAMES.map((name) => `    ${shellQuote(`${name}:${commandOf(name).summary}`)}`);
  const topics = TOPIC_NAMES.map((name) => `    ${shellQuote(`${name}:${topicOf(name).summary}`)}`);
  return `#compdef bulkhead

_bulkhead_tools() {
  compadd "$@" -- ${tools.join(" ")}
}

_bulkhead_arguments() {
  local word
  for word in $words; do
    case $word in
${
    calls.map((call) =>
      `      ${call.names.join("|")}) compadd -S '' -- ${argumentWords(call).join(" ")}; break ;;`
    ).join("\n")
  }
    esac
  done
  _files
}

_bulkhead_sessions() {
  compadd "$@" -- \${XDG_STATE_HOME:-$HOME/.local/state}/bulkhead/sessions/*/trace.jsonl(N:h:t)
}

_bulkhead_agents() {
  compadd "$@" -- ${agents.join(" ")}
}

_bulkhead_toolsets() {
  compadd "$@" -- ${toolsets.join(" ")}
}

_bulkhead_commands() {
  local -a commands=(
${commands.join("\n")}
  )
  _describe -t commands command commands
}

_bulkhead_subjects() {
  local -a topics=(
${topics.join("\n")}
  )
  _bulkhead_commands
  _describe -t topics topic topics
  _bulkhead_tools
}

_bulkhead() {
  local curcontext="$curcontext" state
  local -a line
  local -A opt_args
  _arguments -C -S \\
${OPTION_NAMES.map((name) => `    ${spec(name)} \\`).join("\n")}
    '1: :_bulkhead_commands' \\
    '*:: :->words'
  [[ $state == words ]] || return
  case $line[1] in
${COMMAND_NAMES.map(branch).join("\n")}
  esac
}

if [[ $funcstack[1] == _bulkhead ]]; then
  _bulkhead "$@"
else
  compdef _bulkhead bulkhead
fi
`;
}

function branch(name: CommandName): string {
  const words = wordSpecs(name);
  const lines = [...optionsOf(name).map(spec), ...words].join(" \\\n        ");
  return `    ${name})\n      _arguments -S \\\n        ${lines} ;;`;
}

function wordSpecs(name: CommandName): string[] {
  const { positionals: [first], actions } = commandOf(name);
  switch (first) {
    case "tool":
      return actions
        ? [
          `'1: :{_alternative "actions:action:(${
            Object.keys(actions).join(" ")
          })" "tools:tool:_bulkhead_tools"}'`,
          "'*: :_files'",
        ]
        : ["'1:tool:_bulkhead_tools'", "'*: :_bulkhead_arguments'"];
    case "session":
      return actions
        ? [`'1:action:(${Object.keys(actions).join(" ")})'`, "'*:session:_bulkhead_sessions'"]
        : ["'1:session:_bulkhead_sessions'"];
    case "file":
      return ["'1:file:_files'"];
    case "folder":
      return [
        `'1: :{_alternative "actions:action:(${
          Object.keys(actions ?? {}).join(" ")
        })" "folders:folder:_files -/"}'`,
        "'*:folder:_files -/'",
      ];
    case "shell":
      return [`'1:shell:(${SHELLS.join(" ")})'`];
    case "agent":
      return ["'1:agent:_bulkhead_agents'"];
    case "provider":
      return [`'1:provider:(${PROVIDERS.join(" ")})'`];
    case "configAction":
      return [`'1:action:(${CONFIG_ACTIONS.join(" ")})'`, "'2:file:_files'"];
    case "mcpAction":
      return [`'1:action:(${MCP_ACTIONS.join(" ")})'`, `'2:client:(${MCP_CLIENTS.join(" ")})'`];
    case "subject":
      return ["'1: :_bulkhead_subjects'"];
    default:
      return [];
  }
}

/** The line that `_arguments` understands: which spellings, what it means, what its value is. */
function spec(name: OptionName): string {
  const option = optionOf(name);
  const flag = flagOf(name);
  const text = `[${option.summary.replace(/[[\]:\\]/g, "\\$&")}]`;
  const value = `:${option.value?.replace(/[[\]]/g, "\\$&")}:${action(name)}`;
  switch (option.kind) {
    case "flag":
      return option.short
        ? `'(-${option.short} ${flag})'{-${option.short},${flag}}${shellQuote(text)}`
        : shellQuote(`${flag}${text}`);
    case "optional":
      return shellQuote(`${flag}=-${text}:${value}`);
    case "grant":
      return shellQuote(`*${flag}=-${text}:${value}`);
    case "names":
      return shellQuote(`*${flag}=-${text}${value}`);
    case "several":
      return shellQuote(`*${flag}=${text}${value}`);
    default:
      return option.short
        ? `'(-${option.short} ${flag})'{-${option.short}+,${flag}=}${shellQuote(`${text}${value}`)}`
        : shellQuote(`${flag}=${text}${value}`);
  }
}

function action(name: OptionName): string {
  const option = optionOf(name);
  const offered = valuesOf(option);
  if (offered) return `(${offered.join(" ")})`;
  const actions = {
    file: "_files",
    folder: "_files -/",
    tool: "_bulkhead_tools",
    toolset: "_bulkhead_toolsets",
    session: "_bulkhead_sessions",
    agent: "_bulkhead_agents",
  };
  return option.complete ? actions[option.complete] : " ";
}
