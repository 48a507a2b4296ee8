import { type Command, GRANTS } from "./command_kinds.ts";

/** The commands about runs of a model. */
export const AGENT_COMMANDS = {
  run: {
    summary: "Let a model do a task with the tools",
    usage: ["run [PROMPT] [-] [options]"],
    notes: [
      "The prompt is one word, in quotes. - stands for stdin: alone it is the prompt, behind a prompt it goes " +
      "with it, and so does what is piped in without a -. @FILE in the prompt attaches a file. The answer goes " +
      "to stdout, everything else to stderr.",
      "A model is PROVIDER/NAME, with the provider's own key: anthropic/..., gemini/..., ollama/...; " +
      "bulkhead help providers lists them. OPENAI_BASE_URL and OPENAI_API_KEY name any other API that is " +
      "compatible with OpenAI's. A model on this machine and a replay need no key.",
    ],
    options: [
      "model",
      "baseUrl",
      "image",
      "rolePrompt",
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
      "record",
      "replayTools",
      "strict",
      "failOnRefusal",
      ...GRANTS,
      "toolset",
      "tool",
      "extraTool",
      "timeout",
      "toolTimeout",
      "toolConcurrency",
      "maxParallel",
      "audit",
      "json",
      "events",
      "output",
    ],
    positionals: ["prompt"],
    words: [0, 2],
    examples: [
      ["run 'Why does the test in src fail?'", "Have a task done in the current folder"],
      ["run --resume", "Go on after a crash or an interrupt"],
      ["run --overlay 'Rename the module'", "Have it done in a copy first"],
      ["run - --json --policy read-only < task.md", "In a script, with reading only"],
      ["run --model replay:run.jsonl --strict", "Play a recorded run again, as a test"],
    ],
  },
  models: {
    summary: "List providers, or the models that one offers",
    usage: ["models [PROVIDER|NAME] [options]"],
    notes: [
      "Without a name: the providers, where they are, and whose key is set. With the name of a provider, of a " +
      "model of the configuration, or with --base-url: the models of that server, as --model takes them.",
    ],
    options: ["baseUrl", "config", "json"],
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
    options: ["here", "olderThan", "workspace", "json"],
    positionals: ["session"],
    words: [0, 0],
    actions: {
      show: { summary: "Show what was said and done in a session", operands: "[ID]", words: [0, 1] },
      rm: { summary: "Remove sessions with all that they keep", operands: "[ID ...]", words: [0, Infinity] },
    },
    examples: [
      ["sessions --here", "Find the id for run --resume"],
      ["sessions rm --older-than 30d", "Remove what nobody needs any more"],
    ],
  },
} as const satisfies Record<string, Command>;
