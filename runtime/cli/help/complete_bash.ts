import {
  COMMAND_NAMES,
  type CommandName,
  commandOf,
  CONFIG_ACTIONS,
  HELP_SUBJECTS,
  optionsOf,
  PROVIDERS,
  SHELLS,
} from "../args/command_table.ts";
import { COMMON_OPTIONS } from "../args/command_kinds.ts";
import type { CompletionNames } from "./completion_names.ts";
import type { Option } from "../args/option_kinds.ts";
import { flagOf, OPTION_NAMES, type OptionName, optionOf, valuesOf } from "../args/option_table.ts";

/** Kinds of options after which no word must follow. */
const WORDLESS: readonly Option["kind"][] = ["flag", "grant", "names", "optional"];

/** Returns the script for bash 3.2 and later; it needs no library. Where it offers nothing, bash offers files. */
export function completeBash(names: CompletionNames): string {
  const takeWord = OPTION_NAMES.filter((name) => !WORDLESS.includes(optionOf(name).kind));
  return `# bash completion for bulkhead

_bulkhead() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD - 1]}
  local command= options= is_value= i
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
      *) if [[ -z $command ]]; then command=\${COMP_WORDS[i]}; else place+=1; fi ;;
    esac
  done
  case $prev in
${takeWord.map((name) => `    ${spellings(name).join(" | ")}) ${offer(name, names)} ;;`).join("\n")}
  esac
  [[ -n $is_value ]] && return
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
  esac
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

function offer(name: OptionName, { tools, toolsets }: CompletionNames): string {
  const option = optionOf(name);
  const offered = valuesOf(option);
  if (offered) return `${words(offered)}; return`;
  if (option.complete === "tool") return `${words(tools)}; return`;
  if (option.complete === "toolset") return `${words(toolsets)}; return`;
  if (option.complete !== "folder") return "return";
  return 'COMPREPLY=($(compgen -d -- "$cur")); compopt -o filenames 2>/dev/null; return';
}

function firstWord(name: CommandName, { tools }: CompletionNames): string[] {
  const { positionals: [first], actions = {} } = commandOf(name);
  if (first === "tool") return [`    ${name}:0) ${words([...Object.keys(actions), ...tools])} ;;`];
  if (first === "shell") return [`    ${name}:0) ${words(SHELLS)} ;;`];
  if (first === "provider") return [`    ${name}:0) ${words(PROVIDERS)} ;;`];
  if (first === "configAction") return [`    ${name}:0) ${words(CONFIG_ACTIONS)} ;;`];
  return first === "subject" ? [`    ${name}:0) ${words(HELP_SUBJECTS)} ;;`] : [];
}
