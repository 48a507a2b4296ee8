import {
  COMMAND_NAMES,
  type CommandName,
  commandOf,
  CONFIG_ACTIONS,
  HELP_SUBJECTS,
  MCP_ACTIONS,
  optionsOf,
  PROVIDERS,
  SHELLS,
} from "../args/command_table.ts";
import { MCP_CLIENTS } from "../../mcp/install/clients.ts";
import { COMMON_OPTIONS } from "../args/command_kinds.ts";
import type { CompletedCall, CompletionNames } from "./completion_names.ts";
import type { Option } from "../args/options/option_kinds.ts";
import { flagOf, OPTION_NAMES, type OptionName, optionOf, valuesOf } from "../args/options/option_table.ts";

/** Kinds of options after which no word must follow. */
const WORDLESS: readonly Option["kind"][] = ["flag", "grant", "names", "optional"];

/** Returns the script for bash 3.2 and later; it needs no library. Where it offers nothing, bash offers files. */
export function completeBash(names: CompletionNames): string {
  const takeWord = OPTION_NAMES.filter((name) => !WORDLESS.includes(optionOf(name).kind));
  const calling = COMMAND_NAMES.filter((name) => commandOf(name).positionals.includes("argument"));
  return `# bash completion for bulkhead

_bulkhead_sessions() {
  local trace
  for trace in "\${XDG_STATE_HOME:-$HOME/.local/state}"/bulkhead/sessions/*/trace.jsonl; do
    trace=\${trace%/trace.jsonl}
    [[ -d $trace ]] && printf '%s\\n' "\${trace##*/}"
  done
}

_bulkhead() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD - 1]}
  local command= tool= options= is_value= i
  local -i place=0
  COMPREPLY=()
  # bash splits --name=value into three words.
  if [[ $cur == "=" ]]; then
    cur= is_value=1
  elif [[ $prev == "=" && COMP_CWORD -gt 1 ]]; then
    prev=\${COMP_WORDS[COMP_CWORD - 2]} is_value=1
  fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    case \${COMP_WORDS[i]} in
      =) ((i += 1)) ;;
      ${takeWord.flatMap(spellings).join(" | ")})
        [[ \${COMP_WORDS[i + 1]} == "=" ]] || ((i += 1)) ;;
      -*) ;;
      *)
        if [[ -z $command ]]; then
          command=\${COMP_WORDS[i]}
        else
          [[ -z $tool ]] && tool=\${COMP_WORDS[i]}
          place+=1
        fi ;;
    esac
  done
  case $prev in
${takeWord.map((name) => `    ${spellings(name).join(" | ")}) ${offer(name, names)} ;;`).join("\n")}
    --resume)
      COMPREPLY=($(compgen -W "$(_bulkhead_sessions)" -- "$cur"))
      [[ -n $is_value || \${#COMPREPLY[@]} -gt 0 ]] && return ;;
  esac
  if [[ -n $is_value ]]; then
    case $tool:$prev in
${names.calls.flatMap(argumentValues).join("\n")}
    esac
    return
  fi
  if [[ $cur == -* ]]; then
    case $command in
${COMMAND_NAMES.map((name) => `      ${name}) options="${flags(optionsOf(name))}" ;;`).join("\n")}
      *) options="${flags(COMMON_OPTIONS)}" ;;
    esac
    COMPREPLY=($(compgen -W "$options" -- "$cur"))
    return
  fi
  case $command:$place in
    :*) ${words(COMMAND_NAMES)} ;;
${COMMAND_NAMES.flatMap((name) => firstWord(name, names)).join("\n")}
    sessions:*) ${words(Object.keys(commandOf("sessions").actions ?? {}))}
      [[ $tool == show || $tool == rm ]] && COMPREPLY=($(compgen -W "$(_bulkhead_sessions)" -- "$cur")) ;;
    ${calling.join(":* | ")}:*)
      case $tool in
${names.calls.map(argumentNames).join("\n")}
      esac
      [[ \${#COMPREPLY[@]} -gt 0 ]] && compopt -o nospace 2>/dev/null ;;
  esac
  return 0
}

complete -o bashdefault -o default -F _bulkhead bulkhead
`;
}

function spellings(name: OptionName): string[] {
  const { short } = optionOf(name);
  return short ? [`-${short}`, flagOf(name)] : [flagOf(name)];
}

function flags(names: readonly OptionName[]): string {
  return names.map(flagOf).join(" ");
}

function words(list: readonly string[]): string {
  return `COMPREPLY=($(compgen -W "${list.join(" ")}" -- "$cur"))`;
}

function offer(name: OptionName, { tools, toolsets, agents }: CompletionNames): string {
  const option = optionOf(name);
  const offered = valuesOf(option);
  if (offered) return `${words(offered)}; return`;
  if (option.complete === "tool") return `${words(tools)}; return`;
  if (option.complete === "toolset") return `${words(toolsets)}; return`;
  if (option.complete === "agent") return `${words(agents)}; return`;
  if (option.complete !== "folder") return "return";
  return 'COMPREPLY=($(compgen -d -- "$cur")); compopt -o filenames 2>/dev/null; return';
}

/** The names of a tool as patterns, and what is offered behind it. */
function argumentNames({ names, arguments: all }: CompletedCall): string {
  return `        ${names.join(" | ")}) ${words(all.map(({ name }) => `${name}=`))} ;;`;
}

function argumentValues({ names, arguments: all }: CompletedCall): string[] {
  return all.filter(({ values }) => values.length > 0).map(({ name, values }) =>
    `      ${names.map((tool) => `${tool}:${name}`).join(" | ")}) ${words(values)} ;;`
  );
}

function firstWord(name: CommandName, { tools, agents }: CompletionNames): string[] {
  const { positionals: [first], actions = {} } = commandOf(name);
  if (first === "tool") return [`    ${name}:0) ${words([...Object.keys(actions), ...tools])} ;;`];
  if (first === "folder") {
    return [`    ${name}:0) COMPREPLY=($(compgen -d -W "${Object.keys(actions).join(" ")}" -- "$cur")) ;;`];
  }
  if (first === "shell") return [`    ${name}:0) ${words(SHELLS)} ;;`];
  if (first === "agent") return [`    ${name}:0) ${words(agents)} ;;`];
  if (first === "provider") return [`    ${name}:0) ${words(PROVIDERS)} ;;`];
  if (first === "mcpAction") {
    return [`    ${name}:0) ${words(MCP_ACTIONS)} ;;`, `    ${name}:1) ${words(MCP_CLIENTS)} ;;`];
  }
  if (first === "session" && Object.keys(actions).length === 0) {
    return [`    ${name}:0) COMPREPLY=($(compgen -W "$(_bulkhead_sessions)" -- "$cur")) ;;`];
  }
  if (first === "configAction") return [`    ${name}:0) ${words(CONFIG_ACTIONS)} ;;`];
  return first === "subject" ? [`    ${name}:0) ${words([...HELP_SUBJECTS, ...tools])} ;;`] : [];
}
