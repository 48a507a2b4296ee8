import { CALL_LIMITS, type Command, GRANTS, OFFERED_TOOLS } from "./command_kinds.ts";
import type { OptionName } from "./options/option_table.ts";

const SERVE_OPTIONS: readonly OptionName[] = [
  ...[
    "host",
    "port",
    "workspaces",
    "maxRuns",
    "stopOnDisconnect",
    "names",
    "cors",
    "tlsCert",
    "tlsKey",
  ] as const,
  ...["streamStyle", "apiRunsDir"] as const,
  ...["agent", "agents", "model", "baseUrl", "rolePrompt", "thinking"] as const,
  ...GRANTS.filter((name) => name !== "display" && name !== "browserUrl"),
  ...OFFERED_TOOLS,
  ...CALL_LIMITS,
  ...["maxRounds", "maxCalls", "maxTime", "maxTokens", "maxCost", "audit"] as const,
];

const NOTES: readonly string[] = [
  "It listens on this machine alone, unless --host says otherwise, and answers nobody without the token. The token is " +
  "new each time, unless BULKHEAD_SERVE_TOKEN has one. bulkhead help serve tells what clients can ask.",
  "What is granted here holds for all requests; a request can only do with less. Ctrl-C stops the server: runs that are " +
  "at work are kept, and can be resumed.",
];

/** The server, and the page of it. */
export const SERVE_COMMANDS = {
  serve: {
    summary: "Serve runs, calls and a page over HTTP",
    usage: ["serve [options]"],
    notes: NOTES,
    options: SERVE_OPTIONS,
    positionals: [],
    words: [0, 0],
    examples: [
      ["serve", "For this folder, on http://127.0.0.1:8686"],
      ["serve --workspaces=~/shop,~/notes --max-runs 8", "Two folders, and more runs at once"],
      ["serve --policy read-only --port 0", "For reading alone, on any free port"],
    ],
  },
  ui: {
    summary: "Open the page of a server in your browser",
    usage: ["ui [options]"],
    notes: [
      "Starts a server as bulkhead serve does, with the same options, and opens its page. BROWSER may name the browser. " +
      "The browser gets an address that holds once, and for a minute.",
      ...NOTES.slice(1),
    ],
    options: SERVE_OPTIONS,
    positionals: [],
    words: [0, 0],
    examples: [["ui", "Watch and steer runs in this folder"]],
  },
} as const satisfies Record<string, Command>;
