import type { Answer, Call } from "./scene.ts";

/** A way for a model to have a command run; what it says of itself is in `text` of the last answer. */
export interface Surface {
  name: string;
  /** @param command For bash, without single quotes; it writes everything at once at its end */
  calls(command: string): Call[];
}

const SECONDS = 60;

/** All ways, each with time enough for a slow machine. */
export const SURFACES: readonly Surface[] = [
  {
    name: "Bash",
    calls: (command) => [{ tool: "Bash", arguments: { command, timeout: SECONDS } }],
  },
  {
    name: "par/bash",
    calls: (command) => [{
      tool: "par/bash",
      arguments: { argv: ["bash", "-c", command], timeout: SECONDS },
    }],
  },
  {
    name: "manus/bash",
    calls: (command) => [{ tool: "manus/bash", arguments: { command } }],
  },
  {
    name: "manus/python_execute",
    calls: (command) => [{
      tool: "manus/python_execute",
      arguments: {
        code: `import subprocess\nprint(subprocess.getoutput('bash -c ' + ${
          JSON.stringify(`'${command}'`)
        }))`,
      },
    }],
  },
  {
    name: "a terminal",
    calls: (command) => [
      { tool: "TerminalStart", arguments: {} },
      {
        tool: "TerminalWrite",
        arguments: { session_id: "term_1", input: command, yield_time_ms: 1000 * (SECONDS - 2) },
      },
    ],
  },
];

/** Lets Python run as long as the others: its document gives it five seconds. */
export const SURFACE_CONFIG = JSON.stringify({
  tools: { "manus/python_execute": { timeout_seconds: SECONDS } },
});

/** Returns what a surface's last call said, as lines also where it stands in JSON. */
export function said(answers: readonly Answer[]): string {
  const last = answers.at(-1);
  if (!last) throw new Error("no answer");
  return last.text.replaceAll("\\n", "\n").replaceAll('"', "\n");
}
