import { PRESET_NAMES } from "../../model/providers/presets.ts";
import { AGENT_COMMANDS, MCP_COMMAND } from "./agent_commands.ts";
import { CHANGE_COMMANDS } from "./change_commands.ts";
import { QUEUE_COMMANDS, QUEUE_JOB } from "./queue_commands.ts";
import { SERVE_COMMANDS } from "./serve_command.ts";
import { CALL_LIMITS, type Command, COMMON_OPTIONS, GRANTS, OFFERED_TOOLS } from "./command_kinds.ts";
import type { OptionName } from "./options/option_table.ts";
import { TOPIC_NAMES } from "./topic_table.ts";

/** No tool is called that only some callers may call. */
const EXEC_GRANTS = GRANTS.filter((name) => name !== "role");

const ARGUMENT_NOTES: readonly string[] = [
  "Arguments are a JSON object, @FILE or - for one on stdin, then key=value words, which " +
  "win. A value is converted by the tool's schema alone: a text stays a text, and a list " +
  "is JSON or its key repeated. key:=JSON takes any JSON.",
  "A word without a key is the only required argument. --key VALUE is the same as key=VALUE, unless bulkhead " +
  "has an option of that name. VALUE may look like an option; a key that is true or false needs none. After -- no " +
  "word is an option.",
];

/** Every command of the program. */
export const COMMANDS = {
  ...AGENT_COMMANDS,
  ...CHANGE_COMMANDS,
  call: {
    summary: "Run one tool call",
    usage: ["call TOOL [JSON|@FILE|-] [key=value | key:=JSON ...] [options]"],
    notes: ARGUMENT_NOTES,
    options: [
      ...GRANTS,
      "tools",
      "mcp",
      "session",
      "timeout",
      "toolTimeout",
      "toolConcurrency",
      "check",
      "audit",
      "json",
      "events",
      "output",
    ],
    positionals: ["tool", "argument"],
    words: [1, Infinity],
    examples: [],
  },
  batch: {
    summary: "Run a list of tool calls",
    usage: ["batch FILE|- [options]"],
    notes: [
      'Each line is a call: {"id":"1","tool":NAME,"arguments":{...}}. The id may be left out. bulkhead tools ' +
      "lists the names.",
      "Adjacent calls of parallel tools run at once; results come out in the order of the lines. " +
      "The exit code is that of the first call that failed.",
      'With "expect" a line says what must come: {"exit_code":0}, {"match_count":{"min":1}}, ' +
      '{"matches":"PATTERN"}, {"error":"not_found"}. At a terminal you see rows; --json prints the lines.',
      "With --queue the workers of a queue do the calls, on their own files and with their own permissions; options can " +
      "only take some away. bulkhead help queue tells how.",
    ],
    options: [
      ...GRANTS,
      "tools",
      "mcp",
      "session",
      ...CALL_LIMITS,
      "check",
      "report",
      "failFast",
      "failOnRefusal",
      "overlay",
      "plan",
      ...QUEUE_JOB,
      "independent",
      "audit",
      "json",
      "events",
      "output",
    ],
    positionals: ["file"],
    words: [1, 1],
    examples: [
      ["batch calls.jsonl --json > results.jsonl", "A line of JSON for each call"],
      ["batch - --fail-fast < calls.jsonl", "Stop at the first failure"],
    ],
  },
  exec: {
    summary: "Run a command of yours in the sandbox",
    usage: ["exec [options] -- COMMAND [ARGUMENT ...]"],
    notes: [
      "The command gets the streams of bulkhead, and a terminal if there is one. It is judged and bounded like a " +
      "program of a tool, and the permissions hold. The exit code is the command's own: 128 and the signal's number " +
      "if a signal ended it, 127 if it is not there, 126 if it cannot be executed.",
      "Lines of bulkhead itself on stderr begin with bulkhead: and tell of a refusal (3), a timeout (124), a wrong " +
      "option (2), a wrong configuration (6).",
    ],
    options: ["overlay", ...EXEC_GRANTS, "timeout", "audit"],
    positionals: ["command"],
    words: [1, Infinity],
    endsOptions: true,
    examples: [
      ["exec -- npm test", "Run the tests in the sandbox"],
      ["exec --policy read-only -- rg TODO", "Only look, whatever the command would do"],
      [
        "exec --overlay --allow-net=registry.npmjs.org -- npm install",
        "Look at what it does before it is done",
      ],
      ["exec --allow-env=CI --timeout 600 -- make check", "In a pipeline"],
    ],
  },
  tools: {
    summary: "List the tools and what they need",
    usage: ["tools [TOOLSET ...] [options]", "tools TOOL ... [options]"],
    notes: ["With names of tools, shows the help of each one and whether it may run."],
    options: [
      ...GRANTS,
      ...OFFERED_TOOLS,
      "offered",
      "agent",
      "agents",
      "json",
    ],
    positionals: ["tool"],
    words: [0, Infinity],
    examples: [],
  },
  schema: {
    summary: "Print schemas of tools, lock them, check for drift",
    usage: ["schema [TOOL ...] [options]", "schema lock FILE [options]", "schema check FILE [options]"],
    notes: [
      "lock writes names, arguments and needs to FILE. check compares them with FILE, prints each " +
      "difference, and ends with a code other than 0 if there is one.",
    ],
    options: [
      "format",
      ...OFFERED_TOOLS,
      "config",
      "workspace",
      "json",
      "output",
    ],
    positionals: ["tool"],
    words: [0, Infinity],
    actions: {
      lock: { summary: "Write the lock FILE", operands: "FILE", words: [1, 1] },
      check: { summary: "Compare with the lock FILE", operands: "FILE", words: [1, 1] },
    },
    examples: [["schema check tools.lock.json", "Fail a CI step when tools drift"]],
  },
  explain: {
    summary: "Show what a call would touch, without running it",
    usage: ["explain TOOL [JSON|@FILE|-] [key=value | key:=JSON ...] [options]", "explain [options]"],
    notes: [
      ...ARGUMENT_NOTES,
      "Ends with code 3 if the call would be refused. Without a TOOL it shows what calls may touch at most.",
    ],
    options: [...GRANTS, "tools", "mcp", "json"],
    positionals: ["tool", "argument"],
    words: [0, Infinity],
    examples: [],
  },
  audit: {
    summary: "Sum up an audit, with the flags that it needs",
    usage: ["audit FILE|- [options]"],
    options: ["json"],
    positionals: ["file"],
    words: [1, 1],
    examples: [["audit calls.audit.jsonl", "What happened, and the smallest permissions for it"]],
  },
  config: {
    summary: "Show the configuration of a run, check files",
    usage: ["config [show|path|schema] [options]", "config check [FILE] [options]"],
    notes: [
      "show prints what holds for a run with these options, path where files are looked for, schema a JSON Schema " +
      "for editors. check tells what is wrong with FILE, or with the files of a run. bulkhead help config tells " +
      "what a file can say.",
    ],
    options: [...GRANTS, "json"],
    positionals: ["configAction", "file"],
    words: [0, 2],
    examples: [
      ["config check bulkhead.json", "Look for mistakes before the file is used"],
      ["config schema > schema.json", "Let an editor complete the file's fields"],
    ],
  },
  ...SERVE_COMMANDS,
  ...QUEUE_COMMANDS,
  mcp: MCP_COMMAND,
  doctor: {
    summary: "Check this machine: walls, sandbox, programs",
    usage: ["doctor [options]"],
    options: [...GRANTS, "tools", "mcp", "json"],
    positionals: [],
    words: [0, 0],
    examples: [["doctor --json", "The findings as JSON"]],
  },
  demo: {
    summary: "Show an agent and a batch at work, without a key",
    usage: ["demo"],
    options: [],
    positionals: [],
    words: [0, 0],
    examples: [],
  },
  completions: {
    summary: "Print a completion script for a shell",
    usage: ["completions bash|zsh|fish"],
    options: ["tools", "mcp", "config"],
    positionals: ["shell"],
    words: [1, 1],
    examples: [["completions bash >> ~/.bash_completion", "For bash"]],
  },
  upgrade: {
    summary: "Look for a newer version",
    usage: ["upgrade --check [options]"],
    notes: [
      "Asks the folder of a release, and no other host, which version is there. Ends with 1 if that is newer, with 0 if " +
      "not. Nothing is installed, and no other command looks by itself. BULKHEAD_RELEASE_URL stands for --from.",
    ],
    options: ["check", "from", "json"],
    positionals: [],
    words: [0, 0],
    examples: [["upgrade --check --from https://get.example/bulkhead", "In a job that looks every week"]],
  },
  version: {
    summary: "Print the version",
    usage: ["version [options]"],
    options: ["json"],
    positionals: [],
    words: [0, 0],
    examples: [],
  },
  help: {
    summary: "Print help for a command, a tool, or a topic",
    usage: ["help [COMMAND [ACTION]|TOPIC|TOOL]"],
    options: ["tools", "mcp", "config"],
    positionals: ["subject"],
    words: [0, 2],
    examples: [
      ["help permissions", "Read a topic of the manual"],
      ["help call", "The same as: bulkhead call --help"],
      ["help mcp serve", "The same as: bulkhead mcp serve --help"],
    ],
  },
} as const satisfies Record<string, Command>;

/** The name of a command. */
export type CommandName = keyof typeof COMMANDS;

/** All names, in the order of help. */
export const COMMAND_NAMES = Object.keys(COMMANDS) as readonly CommandName[];

/** The shells that completions are written for. */
export type Shell = "bash" | "zsh" | "fish";

/** All shells, in the order of help. */
export const SHELLS: readonly Shell[] = ["bash", "zsh", "fish"];

/** What `models` offers to a shell. */
export const PROVIDERS: readonly string[] = PRESET_NAMES;
/** What `config` takes. */
export const CONFIG_ACTIONS: readonly string[] = ["show", "path", "schema", "check"];

/** What `mcp` takes. */
export const MCP_ACTIONS: readonly string[] = [
  "serve",
  "install",
  "uninstall",
  "list",
  "add",
  "remove",
  "wrap",
  "accept",
  "audit",
  "login",
  "logout",
];

/** What `queue` takes. */
export const QUEUE_ACTIONS: readonly string[] = ["status", "cancel", "rm"];

/** What `help` takes: commands, then topics. */
export const HELP_SUBJECTS: readonly string[] = [...new Set<string>([...COMMAND_NAMES, ...TOPIC_NAMES])];

/** Says whether a word is the name of a command. */
export function isCommand(word: string): word is CommandName {
  return Object.hasOwn(COMMANDS, word);
}

/** Returns the command of a name, seen as any command. */
export function commandOf(name: CommandName): Command {
  return COMMANDS[name];
}

/** Returns all options that a command takes, its own first. */
export function optionsOf(name: CommandName): readonly OptionName[] {
  return [...commandOf(name).options, ...COMMON_OPTIONS];
}
