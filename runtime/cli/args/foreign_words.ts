/** Words of other programs, and what stands for them here. */
export interface ForeignWords {
  words: readonly string[];
  /** A command line of this program, without its name. */
  use: string;
  /** What it does or costs, as the rest of a sentence: `which …`. */
  which: string;
}

/** Options that people know from elsewhere. An option that the command has itself is never looked up. */
export const FOREIGN_OPTIONS: readonly ForeignWords[] = [
  {
    words: ["--continue", "-c", "-r", "--resume-last", "--last", "--session-id", "--from-session"],
    use: "run --resume[=ID]",
    which: "goes on with a session, the last one of the workspace without an ID",
  },
  {
    words: [
      "--cwd",
      "--cd",
      "-d",
      "--dir",
      "--directory",
      "--workdir",
      "--working-dir",
      "--root",
      "--project",
    ],
    use: "-C DIR COMMAND",
    which: "works in another folder",
  },
  {
    words: ["--dry-run", "--dryrun", "-n", "--simulate", "--what-if", "--check"],
    use: "explain TOOL key=value",
    which: "shows what a call would touch and runs nothing; for a batch there is --plan",
  },
  {
    words: [
      ...[
        "--yolo",
        "-y",
        "--yes",
        "--force",
        "-f",
        "--auto",
        "--auto-approve",
        "--always-approve",
      ],
      ...["--dangerously-skip-permissions", "--dangerously-bypass-approvals-and-sandbox"],
      ...["--skip-permissions", "--allow-all-tools", "--no-permissions", "--trust", "--trust-all-tools"],
    ],
    use: "run --allow-all",
    which:
      "lets a model read, write, reach and start everything that you may; secrets and private networks stay " +
      "closed, and --allow-write=PATHS costs less",
  },
  {
    words: ["--no-sandbox", "--nosandbox", "--unsafe", "--danger-full-access"],
    use: "run --sandbox off",
    which: "takes the walls of the operating system away: then programs do all that you may",
  },
  {
    words: ["--permission-mode", "--approval-mode", "--sandbox-mode", "--mode"],
    use: "run --policy NAME",
    which: "says where the permissions start: coder, read-only or read-only-no-net",
  },
  {
    words: ["--read-only", "--readonly", "--ro"],
    use: "run --policy read-only",
    which: "writes nothing",
  },
  { words: ["-m", "--model-name", "--llm"], use: "run --model NAME", which: "names the model" },
  {
    words: ["-p", "--print", "--prompt", "--message", "--task", "--exec", "-e"],
    use: "run 'PROMPT'",
    which: "does the task and prints the answer",
  },
  {
    words: ["--prompt-file", "--message-file", "--file", "-i", "--input"],
    use: "run - < FILE",
    which: "takes the prompt from a file; @FILE in the prompt attaches one",
  },
  {
    words: ["--output-format", "--stream-json", "--stream", "--verbose", "--debug", "--trace"],
    use: "run 'PROMPT' --events",
    which: "prints each event as a line of JSON; --json prints one document at the end",
  },
  {
    words: ["--output-file", "--out", "--output-last-message"],
    use: "run 'PROMPT' --output FILE",
    which: "writes the answer to a file",
  },
  {
    words: ["--allowedTools", "--allowed-tools", "--tools", "--allow-tool", "--enable-tool"],
    use: "run --tool NAME",
    which: "offers exactly the tools that are named, one --tool each",
  },
  {
    words: ["--list-tools"],
    use: "tools",
    which: "lists them",
  },
  { words: ["-v"], use: "--version", which: "prints the version; --events shows what a run does" },
  { words: ["--list-agents"], use: "agents", which: "lists them" },
  { words: ["--interactive", "--repl", "--tui"], use: "chat", which: "takes turn after turn at a terminal" },
  {
    words: ["--agent-name", "--assistant", "--persona", "--subagent"],
    use: "run --agent NAME",
    which: "names who does it; bulkhead agents lists them",
  },
  {
    words: ["--agent-file", "--agents-config"],
    use: "run --agents FILE",
    which: "adds the agents of a file",
  },
  {
    words: ["--non-interactive", "--no-interactive", "--no-input", "--unattended", "--headless"],
    use: "run --no-questions",
    which: "asks the person nothing, for no consent either",
  },
  { words: ["--list-sessions", "--history"], use: "sessions", which: "lists them" },
  { words: ["--list-models", "--models"], use: "models", which: "lists providers, and what they offer" },
  {
    words: ["--max-turns", "--max-steps", "--max-iterations", "--max-rounds-per-run", "--steps"],
    use: "run --max-rounds N",
    which: "bounds the replies of the model",
  },
  {
    words: ["--max-budget-usd", "--budget", "--max-price"],
    use: "run --max-cost DOLLARS",
    which: "bounds the cost",
  },
  {
    words: ["--system-prompt", "--append-system-prompt", "--system", "--instructions"],
    use: "run --role-prompt FILE",
    which: "adds the text of a file to the system prompt",
  },
  {
    words: ["--api-key", "--key", "--token"],
    use: "help models",
    which:
      "says where a key stands: in OPENAI_API_KEY or in the user's configuration, never on a command line",
  },
  {
    words: ["--api-base", "--base", "--endpoint", "--url", "--provider", "--host"],
    use: "run --base-url URL",
    which: "names the API",
  },
  {
    words: ["--network", "--net", "--allow-network", "--allow-hosts", "--internet"],
    use: "run --allow-net=HOSTS",
    which: "says which hosts tools and programs may reach",
  },
  {
    words: ["--add-dir", "--include-directories", "--bind", "--mount", "--volume", "--writable"],
    use: "run --allow-read=PATHS --allow-write=PATHS",
    which: "grant more folders",
  },
  { words: ["--env", "--setenv"], use: "run --allow-env=NAMES", which: "shows variables to programs" },
  {
    words: ["--schema", "--json-schema", "--response-schema", "--response-format"],
    use: "run --output-schema FILE",
    which: "asks for JSON of that schema",
  },
  { words: ["--images", "--attach", "--attachment"], use: "run --image FILE", which: "shows a picture" },
  {
    words: ["--replay", "--mock"],
    use: "run --model replay:FILE",
    which: "plays a recorded run again",
  },
  {
    words: ["--settings", "--config-file", "--profile"],
    use: "run --config FILE",
    which: "names a configuration; --agents FILE reads config.yaml of SGR and config.toml of OpenManus",
  },
  { words: ["--color", "--colour", "--plain"], use: "run --no-color", which: "prints no colors" },
  { words: ["--silent", "-s"], use: "run --quiet", which: "prints no warnings and no progress" },
  { words: ["--all-help", "--help-all", "-?"], use: "help", which: "lists commands and topics" },
];

/** First words that people know from elsewhere. A word that is a command is never looked up. */
export const FOREIGN_COMMANDS: readonly ForeignWords[] = [
  {
    words: ["update", "self-update", "self-upgrade"],
    use: "upgrade --check",
    which: "looks for a newer version",
  },
  {
    words: ["ps", "jobs"],
    use: "sessions",
    which: "lists the runs that there were; a queue has bulkhead queue status URL",
  },
  {
    words: ["kill", "stop", "cancel"],
    use: "sessions",
    which: "lists runs: Ctrl-C ends one at its terminal, the page of bulkhead ui those of the server",
  },
  {
    words: ["review", "code-review"],
    use: "run --policy read-only 'PROMPT'",
    which: "lets a model read and change nothing; bulkhead diff shows what a run changed",
  },
  {
    words: ["install"],
    use: "mcp install CLIENT",
    which: "offers the tools to a client; bulkhead doctor says what this machine lacks",
  },
  {
    words: ["ask", "prompt", "do", "task", "start", "print", "go", "solve"],
    use: "run 'PROMPT'",
    which: "lets a model do a task; run --resume 'PROMPT' goes on with it",
  },
  {
    words: ["talk", "converse", "conversation", "repl", "interactive", "tui"],
    use: "chat",
    which: "takes turn after turn at a terminal",
  },
  {
    words: ["agent", "assistant", "assistants", "persona", "personas"],
    use: "agents",
    which: "lists agents; run --agent NAME 'PROMPT' has one do a task",
  },
  {
    words: ["source", "cite", "citations", "references", "refs", "bibliography"],
    use: "sources",
    which: "prints what a session has found, with the numbers that its report cites",
  },
  {
    words: ["resume", "continue", "attach", "fork"],
    use: "run --resume[=ID]",
    which: "goes on with a session, the last one of the workspace without an ID",
  },
  { words: ["list", "tool", "ls-tools"], use: "tools", which: "lists the tools and what they need" },
  { words: ["history", "log", "logs", "session", "threads"], use: "sessions", which: "lists earlier runs" },
  { words: ["show"], use: "sessions show", which: "shows what was said and done in a session" },
  {
    words: ["server", "api", "http", "daemon"],
    use: "serve",
    which: "answers over HTTP; mcp serve offers the tools over MCP",
  },
  {
    words: ["web", "gui", "dashboard", "open"],
    use: "ui",
    which: "opens the page of a server in your browser",
  },
  {
    words: [
      "configure",
      "configuration",
      "settings",
      "init",
      "setup",
      "policy",
      "policies",
      "hooks",
    ],
    use: "help config",
    which: "says which files there are and what stands in them",
  },
  {
    words: ["login", "logout", "auth", "key", "keys"],
    use: "help models",
    which: "says how a model, its address and its key are named",
  },
  {
    words: ["permissions", "permission", "grants", "allow", "deny"],
    use: "help permissions",
    which: "is that topic",
  },
  { words: ["sandbox", "jail"], use: "help sandbox", which: "says what runs where" },
  {
    words: ["invoke", "use", "call-tool"],
    use: "call TOOL key=value",
    which: "runs one tool call; bulkhead tools lists the tools",
  },
  { words: ["model", "provider", "providers"], use: "models", which: "lists providers, and what they offer" },
  {
    words: ["shell", "execute", "command", "wrap"],
    use: "exec COMMAND",
    which: "runs a command in the sandbox",
  },
  {
    words: ["dry-run", "plan", "why", "can"],
    use: "explain TOOL key=value",
    which: "shows what a call would touch",
  },
  { words: ["describe", "info", "inspect", "usage", "man", "docs"], use: "help TOOL", which: "shows a tool" },
  {
    words: ["schemas", "lock"],
    use: "schema lock FILE",
    which: "writes names, arguments and needs of the tools to a file",
  },
  {
    words: ["check", "verify", "lint"],
    use: "schema check FILE",
    which: "compares the tools with a lock",
  },
  {
    words: ["status", "health", "diagnose", "test", "selftest", "env"],
    use: "doctor",
    which: "tries the walls of this machine",
  },
  { words: ["replay"], use: "run --model replay:FILE", which: "plays a recorded run again" },
  { words: ["completion", "autocomplete"], use: "completions SHELL", which: "prints a completion script" },
  { words: ["pipe", "jsonl", "parallel"], use: "batch FILE", which: "runs a list of calls" },
];
