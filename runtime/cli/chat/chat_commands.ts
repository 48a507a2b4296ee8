import { didYouMean, nearest } from "../../../schemas/nearest.ts";

/** What can be typed in a chat beside prompts. */
export const CHAT_COMMANDS = {
  help: { operand: "", summary: "List these commands and the keys" },
  tools: { operand: "[TOOL ...]", summary: "List the tools that the model has, or show some" },
  grants: {
    operand: "[FLAG ...]",
    summary: "Show what calls may touch, or allow more: /grants --allow-net=example.com",
  },
  model: { operand: "[NAME]", summary: "Show the model, or go on with another one" },
  agent: { operand: "[NAME]", summary: "List the agents, or go on with another one" },
  undo: {
    operand: "[all]",
    summary: "Put back what was there before the last turn that changed something, or before all",
  },
  diff: { operand: "", summary: "Show what this session changed" },
  clear: {
    operand: "",
    summary: "Begin a new session: the model forgets what was said, files stay as they are",
  },
  save: { operand: "[FILE]", summary: "Write the conversation as Markdown into a new file" },
  quit: { operand: "", summary: "End the chat; Ctrl-D does the same" },
} as const;

/** What other programs call the commands of a chat. */
const ALSO: Readonly<Record<string, keyof typeof CHAT_COMMANDS>> = {
  ...{
    exit: "quit",
    q: "quit",
    bye: "quit",
    stop: "quit",
    new: "clear",
    reset: "clear",
    "?": "help",
    commands: "help",
  },
  ...{ permissions: "grants", allowed: "grants", approvals: "grants", sandbox: "grants", models: "model" },
  ...{ agents: "agent", revert: "undo", rewind: "undo", restore: "undo", changes: "diff", export: "save" },
};

/** What other programs have as commands, and is done in another way here. */
const OTHERWISE: Readonly<Record<string, string>> = {
  compact: "older turns are summed up by themselves when the conversation gets long; /clear begins a new one",
  compress:
    "older turns are summed up by themselves when the conversation gets long; /clear begins a new one",
  ...Object.fromEntries(
    ["resume", "continue", "sessions", "chat"].map((name) => [
      name,
      "end the chat and write bulkhead chat --resume SESSION; bulkhead sessions lists them",
    ]),
  ),
  ...Object.fromEntries(
    ["config", "settings"].map((
      name,
    ) => [name, "end the chat and see bulkhead config, and bulkhead help config"]),
  ),
  ...Object.fromEntries(["cost", "usage", "status", "stats"].map((name) => [
    name,
    "each turn ends with its tokens and its cost; /model, /tools and /grants show what holds",
  ])),
  mcp: "bulkhead mcp list shows the servers of runs, and /tools the tools that they give",
  init: "write AGENTS.md into the workspace, or ask the model for it",
  memory: "what stands in AGENTS.md of the workspace is told to the model at the start",
  login: "the key of a model comes from the environment, such as OPENAI_API_KEY; bulkhead help models",
  logout: "the key of a model comes from the environment, such as OPENAI_API_KEY; bulkhead help models",
  doctor: "end the chat and run bulkhead doctor",
  review: "ask for it as a task: it is no command of its own",
};

/** The name of a command of a chat. */
export type ChatCommand = keyof typeof CHAT_COMMANDS;

/** What a person typed. */
export type Typed =
  | { kind: "prompt"; text: string }
  | { kind: "command"; name: ChatCommand; words: string[]; rest: string }
  | { kind: "nothing" }
  | { kind: "mistake"; message: string };

const NAMES = Object.keys(CHAT_COMMANDS) as ChatCommand[];
/** Blanks part words; quotes keep them together, also within a word. */
const WORD = /(?:"[^"]*"|'[^']*'|\S)+/g;
const QUOTED = /"([^"]*)"|'([^']*)'/g;

/**
 * Tells commands from prompts. A path such as `/etc/hosts` is a prompt, and so are several lines, and what begins with a
 * blank.
 */
export function readLine(typed: string): Typed {
  if (typed.trim() === "") return { kind: "nothing" };
  const [, word, rest = ""] = /^\/([a-z-]*|\?)(?:[ \t]+(.*))?$/i.exec(typed.trimEnd()) ?? [];
  if (word === undefined) return { kind: "prompt", text: typed };
  const typedName = word.toLowerCase();
  const name = NAMES.find((known) => known === typedName) ??
    (Object.hasOwn(ALSO, typedName) ? ALSO[typedName] : undefined);
  if (name === undefined && Object.hasOwn(OTHERWISE, typedName)) {
    return { kind: "mistake", message: `No /${typedName} here: ${OTHERWISE[typedName]}` };
  }
  if (name === undefined) return { kind: "mistake", message: unknown(word) };
  const words = (rest.match(WORD) ?? []).map((one) => one.replace(QUOTED, "$1$2"));
  if (CHAT_COMMANDS[name].operand !== "" || words.length === 0) return { kind: "command", name, words, rest };
  return { kind: "mistake", message: `/${name} takes no words; a blank before the line makes it a prompt` };
}

/** Returns the commands that a beginning may become. */
export function completeCommand(text: string): string[] {
  if (!/^\/[a-z]*$/.test(text)) return [];
  return NAMES.filter((name) => `/${name}`.startsWith(text))
    .map((name) => `/${name}${CHAT_COMMANDS[name].operand === "" ? "" : " "}`);
}

const KEYS: readonly (readonly [string, string])[] = [
  ["Enter", "send; a new line if the text ends with \\"],
  ["Alt-Enter, Ctrl-J", "a new line"],
  ["Up, Down", "earlier texts; a text that begins with a blank is not kept"],
  ["Ctrl-R", "look for an earlier text; again for one before it"],
  ["Ctrl-C", "stop the turn, or throw away what is typed; twice where nothing is, end the chat"],
];

/** Terminals that are narrower get each meaning on a line of its own. */
const NARROW = 60;

/** Returns what `/help` prints on a terminal of so many columns. */
export function chatHelp(columns: number): string {
  const rows: (readonly [string, string])[] = [
    ...NAMES.map((name) => [`/${name} ${CHAT_COMMANDS[name].operand}`, CHAT_COMMANDS[name].summary] as const),
    ...KEYS,
    ["@FILE", "attach a file"],
  ];
  if (columns < NARROW) {
    return rows.map(([what, meaning]) => `  ${what.trimEnd()}\n    ${meaning}\n`).join("");
  }
  return rows.map(([what, meaning]) => `  ${what.padEnd(20)} ${meaning}\n`).join("");
}

function unknown(word: string): string {
  const candidates = nearest(word, [...NAMES, ...Object.keys(ALSO)]);
  const known = new Set(candidates.map((name) => `/${Object.hasOwn(ALSO, name) ? ALSO[name] : name}`));
  const hint = didYouMean([...known]) || ", see /help.";
  return `Unknown command "/${word}"${hint} A blank before the line makes it a prompt`;
}
