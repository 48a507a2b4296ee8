/** A file that the binary holds as text, by its path in the repository. */
export type ManualFile =
  | "runtime/README.md"
  | "runtime/agent/README.md"
  | "runtime/cli/README.md"
  | "runtime/host/README.md"
  | "runtime/mcp/README.md"
  | "runtime/model/README.md"
  | "runtime/programs/README.md"
  | "runtime/queue/README.md"
  | "runtime/server/README.md"
  | "runtime/sources/README.md"
  | "runtime/state/README.md"
  | "runtime/walls/README.md"
  | "schemas/README.md"
  | "tools/README.md"
  | "tools/agents/README.md"
  | "tools/manus/README.md";

/** A topic of the manual, as data: sections of files, named by their headings and shown in this order. */
export interface Topic {
  summary: string;
  /** It shows the page of another system, which has its name. @default false */
  isSystem?: true;
  parts: readonly { file: ManualFile; headings: readonly string[] }[];
}

/** Every topic of `bulkhead help`. */
export const TOPICS = {
  permissions: {
    summary: "What a call may touch: files, hosts, secrets",
    parts: [{
      file: "runtime/walls/README.md",
      headings: ["Workspace and paths", "Policies", "Flags", "The network", "Secrets", "Protected files"],
    }],
  },
  sandbox: {
    summary: "Where tools and programs run, and what holds there",
    parts: [
      {
        file: "runtime/walls/README.md",
        headings: ["Where a tool runs", "The sandbox of a tool", "Three walls", "What does not hold"],
      },
      {
        file: "runtime/programs/README.md",
        headings: [
          "The sandbox of a program",
          "What a program leaves",
          "Toolchains",
          "The network of a program",
          "Behind Landlock",
          "On macOS",
          "What a program lacks",
          "Without a sandbox",
        ],
      },
    ],
  },
  programs: {
    summary: "Shells, terminals, bounds, rules about commands",
    parts: [{
      file: "runtime/programs/README.md",
      headings: [
        "Programs",
        "Bounds",
        "How a program ends",
        "Terminals and shells that stay",
        "Commands",
        "Rules about commands",
        "What does not hold",
      ],
    }, { file: "runtime/cli/README.md", headings: ["A command of your own"] }],
  },
  web: {
    summary: "Search and pages of the web: engines, keys",
    parts: [{ file: "tools/README.md", headings: ["The web", "Search engines and services"] }],
  },
  documents: {
    summary: "PDF, pictures, office files, charts",
    parts: [{ file: "tools/README.md", headings: ["Documents", "PDF, pictures, office files", "Charts"] }],
  },
  browser: {
    summary: "The browser of a run, and where it is found",
    parts: [{
      file: "tools/manus/README.md",
      headings: ["The browser", "The browser without a sandbox", "Pages of the sandbox"],
    }],
  },
  desktop: {
    summary: "The desktop of a run, and sandboxes of a session",
    parts: [{
      file: "tools/manus/README.md",
      headings: ["The desktop", "The private sandbox", "A remote sandbox"],
    }],
  },
  agent: {
    summary: "Runs of a model: prompt, limits, sessions, replay",
    parts: [{
      file: "runtime/agent/README.md",
      headings: [
        "The agent",
        "Prompt",
        "Answer",
        "Many tools",
        "Limits",
        "Other ends",
        "What a server refuses",
        "Calls that are not well made",
        "Sessions",
        "Record and replay",
      ],
    }],
  },
  tasks: {
    summary: "Many tasks of a file, each a run of its own",
    parts: [{ file: "runtime/agent/README.md", headings: ["Tasks of a file"] }],
  },
  agents: {
    summary: "Agents by name: built in, your own, from a file",
    parts: [
      {
        file: "tools/agents/README.md",
        headings: ["Agents", "Agents of your own", "Files of other systems", "Files of SGR Agent Core"],
      },
      {
        file: "runtime/agent/README.md",
        headings: ["Ways of thinking", "Limits of steps", "States and questions"],
      },
    ],
  },
  chat: {
    summary: "Turn after turn at a terminal: keys, commands",
    parts: [{ file: "runtime/agent/README.md", headings: ["A chat"] }],
  },
  "own-tools": {
    summary: "Tools of your own, in files and in your program",
    parts: [{
      file: "runtime/sources/README.md",
      headings: [
        "Tools of your own",
        "What a tool says",
        "What a tool imports",
        "Where a tool runs",
        "Functions of your program",
      ],
    }],
  },
  scripts: {
    summary: "Tools in any language: scripts and their entries",
    parts: [{
      file: "runtime/sources/README.md",
      headings: ["Scripts", "What a script may do", "What a script answers"],
    }],
  },
  overlay: {
    summary: "Runs in a copy, and runs taken back",
    parts: [{ file: "runtime/state/README.md", headings: ["Overlay", "How an overlay is made", "Undo"] }],
  },
  providers: {
    summary: "Providers of models: addresses, keys, prices",
    parts: [{
      file: "runtime/model/README.md",
      headings: [
        "Models",
        "Where a model is",
        "Models in the configuration",
        "How a model is asked",
        "What servers refuse",
        "The way to the model",
      ],
    }],
  },
  config: {
    summary: "Configuration files, and what a project may set",
    parts: [{
      file: "runtime/host/README.md",
      headings: [
        "Configuration",
        "What it does",
        "Look at it",
        "Policies",
        "Permissions and the sandbox",
        "Permissions of tools",
        "Bounds of programs",
        "Hooks",
        "The project's file",
      ],
    }],
  },
  trust: {
    summary: "What a project may add, and how you allow it",
    parts: [{ file: "runtime/host/README.md", headings: ["Tools of a project"] }],
  },
  serve: {
    summary: "Runs and calls over HTTP, and the page",
    parts: [{
      file: "runtime/server/README.md",
      headings: ["Server", "Calls", "Runs", "The page", "What the server holds"],
    }],
  },
  queue: {
    summary: "Batches and tasks on many machines",
    parts: [{
      file: "runtime/queue/README.md",
      headings: ["Many machines", "Workers", "Order", "When something dies", "The queue's server"],
    }],
  },
  telemetry: {
    summary: "Metrics, and traces for OpenTelemetry",
    parts: [{ file: "runtime/server/README.md", headings: ["Metrics", "Traces"] }],
  },
  deploy: {
    summary: "As a service, in containers, on machines of CI",
    parts: [{
      file: "runtime/server/README.md",
      headings: ["As a service", "In containers", "On Kubernetes", "On machines of CI"],
    }, { file: "runtime/queue/README.md", headings: ["Recipes of workers", "Workers on Kubernetes"] }],
  },
  "serve-clients": {
    summary: "Clients of OpenAI's API and of other servers",
    parts: [{
      file: "runtime/server/README.md",
      headings: [
        ...[
          "Clients of other servers",
          "Agents as models",
          "Chat completions",
          "How a stream shows the work",
        ],
        ...["OpenAI responses", "Routes of SGR Agent Core", "Routes of ResearchHarness"],
      ],
    }],
  },
  mcp: {
    summary: "The tools for other programs, by MCP",
    parts: [{
      file: "runtime/mcp/README.md",
      headings: ["MCP server", "What a client gets", "Roots", "Over HTTP", "What the server holds"],
    }],
  },
  "mcp-servers": {
    summary: "MCP servers of others, in the sandbox",
    parts: [
      {
        file: "runtime/sources/README.md",
        headings: ["MCP servers", "Tools that come later", "Servers with an address"],
      },
      {
        file: "runtime/mcp/README.md",
        headings: ["Servers of other people", "Find out what a server needs"],
      },
    ],
  },
  ci: {
    summary: "Batches and schema checks as steps of a pipeline",
    parts: [{ file: "runtime/cli/README.md", headings: ["In CI", "Batches", "Expectations"] }],
  },
  events: {
    summary: "What --json and --events print",
    parts: [{ file: "schemas/README.md", headings: ["Results", "Repairs", "Events"] }],
  },
  "exit-codes": {
    summary: "Which error ends with which code",
    parts: [{ file: "schemas/README.md", headings: ["Exit codes"] }],
  },
  embed: {
    summary: "The runner and the agent for TypeScript",
    parts: [{
      file: "runtime/README.md",
      headings: [
        "Embed it",
        "What is not understood is refused",
        "All tools in one object",
        "Embed the agent",
      ],
    }],
  },
  harness: { summary: "Coming from ResearchHarness", isSystem: true, parts: [] },
  sgr: { summary: "Coming from SGR Agent Core", isSystem: true, parts: [] },
  manus: { summary: "Coming from OpenManus", isSystem: true, parts: [] },
  par: { summary: "Coming from the P-A-R SDK", isSystem: true, parts: [] },
  dra: { summary: "Coming from design-research-agents", isSystem: true, parts: [] },
  claude: { summary: "Coming from Claude Code", isSystem: true, parts: [] },
  codex: { summary: "Coming from Codex", isSystem: true, parts: [] },
  gemini: { summary: "Coming from Gemini CLI", isSystem: true, parts: [] },
} as const satisfies Record<string, Topic>;

/** The name of a topic. */
export type TopicName = keyof typeof TOPICS;

/** All names, in the order of help. */
export const TOPIC_NAMES = Object.keys(TOPICS) as readonly TopicName[];

/** Says whether a word is the name of a topic. */
export function isTopic(word: string): word is TopicName {
  return Object.hasOwn(TOPICS, word);
}

/** Returns the topic of a name, seen as any topic. */
export function topicOf(name: TopicName): Topic {
  return TOPICS[name];
}
