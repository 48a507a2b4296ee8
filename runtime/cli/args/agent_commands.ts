import { MCP_CLIENTS } from "../../mcp/install/clients.ts";
import { CALL_LIMITS, type Command, GRANTS, OFFERED_TOOLS } from "./command_kinds.ts";
import { QUEUE_JOB } from "./queue_commands.ts";
import type { OptionName } from "./options/option_table.ts";

/** The options of a run. */
const RUN_OPTIONS: readonly OptionName[] = [
  "agent",
  "agents",
  "model",
  "baseUrl",
  "image",
  "rolePrompt",
  "thinking",
  "noQuestions",
  "noProject",
  "outputSchema",
  "session",
  "resume",
  "noSession",
  "overlay",
  "noUndo",
  "maxRounds",
  "maxCalls",
  "maxTime",
  "maxSilence",
  "maxTokens",
  "maxCost",
  "maxTools",
  "record",
  "replayTools",
  "strict",
  "failOnRefusal",
  ...GRANTS,
  ...OFFERED_TOOLS,
  ...CALL_LIMITS,
  "audit",
  "json",
  "events",
  "output",
];

/** Many tasks of a file, and what is said of them together. */
const TASK_OPTIONS: readonly OptionName[] = [
  ...["tasks", "maxRuns", "workspaces", "failFast", "report"] as const,
  ...QUEUE_JOB,
];

/** A chat has a session, and is shown at the terminal. */
const NOT_OF_CHAT: readonly OptionName[] = [
  "noSession",
  "outputSchema",
  "record",
  "replayTools",
  "strict",
  "failOnRefusal",
  "json",
  "events",
  "output",
];

/** The commands about runs of a model, and about what a project adds to runs. */
export const AGENT_COMMANDS = {
  run: {
    summary: "Let a model do a task with the tools",
    usage: ["run [PROMPT] [-] [options]", "run --tasks FILE|- [options]"],
    notes: [
      "The prompt is one word, in quotes. - stands for stdin: alone it is the prompt, behind a prompt it goes " +
      "with it, and so does what is piped in without a -. @FILE in the prompt attaches a file. The answer goes " +
      "to stdout, everything else to stderr.",
      "A model is PROVIDER/NAME, with the provider's own key: anthropic/..., gemini/..., ollama/...; " +
      "bulkhead help providers lists them. OPENAI_BASE_URL and OPENAI_API_KEY name any other API that is " +
      "compatible with OpenAI's. A model on this machine and a replay need no key.",
      'With --tasks each line is a task: {"id":"1","prompt":"..."}. It may choose its agent, model, workspace and ' +
      "output_schema, and do with less: grants, limits. Each is a session of its own. Answers come out in the order of " +
      "the lines, and the exit code is that of the first task that failed. At a terminal you see rows; --json prints " +
      "the lines.",
    ],
    options: [...RUN_OPTIONS, "chat", ...TASK_OPTIONS],
    positionals: ["prompt"],
    words: [0, 2],
    examples: [
      ["run 'Why does the test in src fail?'", "Have a task done in the current folder"],
      ["run --resume", "Go on after a crash or an interrupt"],
      ["run --overlay 'Rename the module'", "Have it done in a copy first"],
      ["run - --json --policy read-only < task.md", "In a script, with reading only"],
      ["run --model replay:run.jsonl --strict", "Play a recorded run again, as a test"],
      ["run --tasks tasks.jsonl --max-runs 8 --json > answers.jsonl", "Many tasks, eight at once"],
    ],
  },
  agents: {
    summary: "List agents, or show what one may touch",
    usage: ["agents [NAME] [options]"],
    notes: [
      "Without a name: the agents of bulkhead, of the configuration and of --agents FILE. With one: how it works, its " +
      "model, its bounds, and its tools with what they need and whether these options grant it. bulkhead config schema " +
      "has the fields of one.",
    ],
    options: ["agents", "model", "baseUrl", ...GRANTS, "tools", "mcp", "json"],
    positionals: ["agent"],
    words: [0, 1],
    examples: [
      ["agents research", "How the built-in agent works, and what it may touch"],
      ["agents --agents agents.yaml", "The agents of a file"],
    ],
  },
  chat: {
    summary: "Talk with a model, turn after turn",
    usage: ["chat [PROMPT] [options]"],
    notes: [
      "Each turn is a run that goes on with one session, with the options of chat: see bulkhead run --help. /help lists " +
      "what else can be typed. Ctrl-C stops a turn and not the chat; Ctrl-D ends it.",
      "It needs a terminal. Elsewhere, bulkhead run --resume ID 'PROMPT' takes one turn.",
    ],
    options: RUN_OPTIONS.filter((name) => !NOT_OF_CHAT.includes(name)),
    positionals: ["prompt"],
    words: [0, 1],
    examples: [
      ["chat", "Begin a conversation about the current folder"],
      ["chat --resume", "Go on with the last one"],
      ["chat --policy read-only 'What does src do?'", "With a first question, and reading only"],
    ],
  },
  models: {
    summary: "List providers, or the models that one offers",
    usage: ["models [PROVIDER|NAME] [options]"],
    notes: [
      "Without a name: the providers, where they are, and whose key is set. With the name of a provider, of a " +
      "model of the configuration, or with --base-url: the models of that server, as --model takes them.",
    ],
    options: ["baseUrl", "config", "envFile", "json"],
    positionals: ["provider"],
    words: [0, 1],
    examples: [
      ["models groq", "Names for run --model"],
      ["models --base-url http://localhost:11434/v1 --json", "Ask another server"],
    ],
  },
  sessions: {
    summary: "List, show or remove the sessions of earlier runs",
    usage: ["sessions [options]", "sessions show [ID] [options]", "sessions rm [ID ...] [options]"],
    notes: [
      "The session that changed last comes first, and is the one that show shows without an ID. The beginning of " +
      "an ID is enough if no other session begins so. rm without an ID removes what --older-than and --here choose.",
    ],
    options: ["here", "olderThan", "workspace", "json", "html"],
    positionals: ["session"],
    words: [0, 0],
    actions: {
      show: { summary: "Show what was said and done in a session", operands: "[ID]", words: [0, 1] },
      rm: { summary: "Remove sessions with all that they keep", operands: "[ID ...]", words: [0, Infinity] },
    },
    examples: [
      ["sessions --here", "Find the id for run --resume"],
      ["sessions show --html > run.html", "One file for others to read: nothing runs in it"],
      ["sessions rm --older-than 30d", "Remove what nobody needs any more"],
    ],
  },
  sources: {
    summary: "Print the sources that a session has found",
    usage: ["sources [SESSION] [options]"],
    notes: [
      "Each source has the number under which reports cite it. Without a SESSION, the newest one of the workspace that " +
      "has sources. The beginning of an id is enough if no other session begins so.",
    ],
    options: ["as", "workspace", "json"],
    positionals: ["session"],
    words: [0, 1],
    examples: [
      ["sources", "The sources of the newest session of this workspace"],
      ["sources --as bibtex > sources.bib", "For a paper"],
    ],
  },
  trust: {
    summary: "Decide whether a project's own tools are used",
    usage: ["trust [FOLDER] [options]", "trust list [options]", "trust rm FOLDER ... [options]"],
    notes: [
      "Shows what FOLDER, or the current one, adds to runs in it, such as tools that it names, and asks you. Without a " +
      "terminal it needs --yes. Nothing of it is imported or started before you trust it, and nothing any more once it " +
      "has changed. bulkhead help trust tells what counts.",
    ],
    options: ["yes", "json"],
    positionals: ["folder"],
    words: [0, 1],
    actions: {
      list: { summary: "List the folders that you trust", operands: "[options]", words: [0, 0] },
      rm: { summary: "Trust folders no longer", operands: "FOLDER ...", words: [1, Infinity] },
    },
    examples: [
      ["trust", "Look at what the current folder adds, and decide"],
      ["trust --json", "The same as JSON, without a question"],
      ["trust rm ~/shop", "Use its tools no longer"],
    ],
  },
} as const satisfies Record<string, Command>;

/** The command for clients of the Model Context Protocol. */
export const MCP_COMMAND = {
  summary: "Offer tools over MCP, or hold others' servers",
  usage: [
    "mcp serve [options]",
    "mcp install CLIENT [options]",
    "mcp uninstall CLIENT [--project]",
    "mcp list [options]",
    "mcp add NAME [options] -- COMMAND [ARG ...]",
    "mcp add NAME URL [options]",
    "mcp remove NAME [options]",
    "mcp wrap [NAME] [options] -- COMMAND [ARG ...]",
    "mcp accept NAME [CODE]",
    "mcp audit [NAME] -- COMMAND [ARG ...]",
    "mcp login NAME [options]",
    "mcp logout NAME [options]",
  ],
  notes: [
    "serve speaks the Model Context Protocol over stdin and stdout, or over HTTP with --http: on this machine alone, " +
    "and with a token, which is BULKHEAD_MCP_TOKEN or made anew. The permissions are fixed when it starts; no client " +
    "can widen them, and nobody is asked for consent.",
    "install prints the entry for the configuration of CLIENT that starts this program with these options; --write " +
    "adds it to your configuration of CLIENT, with --project to that of the workspace. Clients: " +
    `${MCP_CLIENTS.join(", ")}. uninstall takes it out again.`,
    "list starts the servers of your configuration, of the project once you trust it, and of --mcp, and shows how each " +
    "stands. add writes one to your configuration, or with --project to .mcp.json of the workspace; it may touch what the " +
    "options grant, and its own package. remove takes it out.",
    "wrap is for the configuration of a client, before the command of another server: that server then runs in the " +
    "sandbox, with its own package and what the options grant, and nothing of the policy. Its tools and prompts " +
    "stay as they were at first use: one that is new or described in another way is refused until you accept it. accept shows " +
    "what has changed, with the CODE that accepts just that.",
    "audit lets a server do everything in a sandbox that shows everything but secrets, watches it, and prints the " +
    "smallest entry that would have done: at a terminal it only asks for the tools, else it stands between a client " +
    "and the server. It needs strace to see files.",
    "login is for a server with an address, as your configuration or --mcp names it: it prints the address where you " +
    "log in, and waits for your browser. What proves the login is kept for you alone, and renewed; logout forgets it.",
  ],
  options: [
    "http",
    "write",
    "project",
    ...GRANTS,
    ...OFFERED_TOOLS,
    ...CALL_LIMITS,
    "audit",
    "json",
  ],
  positionals: ["mcpAction", "client"],
  words: [1, 1],
  keepsMark: true,
  actions: {
    serve: { summary: "Offer tools to a client", operands: "[options]", words: [0, 0] },
    install: { summary: "Print the entry for a client's configuration", operands: "CLIENT", words: [1, 1] },
    uninstall: {
      summary: "Take the entry out of a client's configuration",
      operands: "CLIENT",
      words: [1, 1],
    },
    list: {
      summary: "Show other people's servers, and how each stands",
      operands: "[options]",
      words: [0, 0],
    },
    add: {
      summary: "Add another server for runs",
      operands: "NAME [options] -- COMMAND [ARG ...]",
      words: [2, Infinity],
    },
    remove: { summary: "Take that server out", operands: "NAME [options]", words: [1, 1] },
    wrap: {
      summary: "Hold another server within walls",
      operands: "[NAME] [options] -- COMMAND [ARG ...]",
      words: [1, Infinity],
    },
    audit: {
      summary: "Watch another server, and print the smallest entry for it",
      operands: "[NAME] [options] -- COMMAND [ARG ...]",
      words: [1, Infinity],
    },
    accept: { summary: "Accept what a wrapped server says now", operands: "NAME [CODE]", words: [1, 2] },
    login: { summary: "Log in at a server with an address", operands: "NAME [options]", words: [1, 1] },
    logout: { summary: "Forget that login", operands: "NAME [options]", words: [1, 1] },
  },
  examples: [
    ["mcp serve --policy read-only", "Offer the tools over stdin and stdout, for reading alone"],
    ["mcp serve --http=4178 --toolset par", "Offer one toolset over HTTP"],
    ["mcp install claude-code --write", "Let a client start it"],
    ["mcp add notes --allow-read=~/notes -- npx -y notes-server", "Use a server in every run"],
    ["mcp list", "Show which servers there are"],
    ["mcp wrap notes --allow-read=~/notes -- npx -y notes-server", "A server that reads one folder"],
  ],
} as const satisfies Command;
