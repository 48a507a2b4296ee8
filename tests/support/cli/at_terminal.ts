import { denoDir } from "../deno_dir.ts";
import { program } from "../program.ts";
import type { Scene } from "./scene.ts";

/** What ends a question: what is typed from then on is its answer. */
const PROMPT = /(?:\n> |\[e\]xplain: |for no reason: )$/;

/** What is typed at a question for which there is no answer. */
const END_OF_INPUT = "\x04";

export interface Typing {
  /** Each line, or each text of a list, is typed when a question waits for its answer. */
  typed: string | readonly string[];
  ci: string;
  /** Typed before any question is shown. @default nothing */
  ahead?: string;
  /** The words that start the program. @default {@linkcode program} */
  words?: readonly string[];
  /** Added to the environment. @default nothing */
  env?: Readonly<Record<string, string>>;
}

/** Runs the program with a terminal on all three streams, at which a person answers what they are asked. */
export async function atTerminal(
  scene: Pick<Scene, "ws" | "at">,
  args: readonly string[],
  { typed, ci, ahead = "", words = program(), env = {} }: Typing,
): Promise<{ code: number; screen: string }> {
  const command = [...words, ...args].map((word) => `'${word}'`).join(" ");
  const child = new Deno.Command("script", {
    args: ["-qefc", command, "/dev/null"],
    cwd: scene.ws,
    env: {
      INIT_CWD: scene.ws,
      CI: ci,
      HOME: scene.at("home"),
      XDG_CONFIG_HOME: "",
      TERM: "dumb",
      NO_COLOR: "1",
      DENO_DIR: denoDir(),
      ...env,
    },
    stdin: "piped",
    stdout: "piped",
  }).spawn();
  const writer = child.stdin.getWriter();
  const type = (text: string) => writer.write(new TextEncoder().encode(text));
  await type(ahead);
  const answers = typeof typed === "string" ? typed.match(/[^\n]*\n|[^\n]+$/g) ?? [] : [...typed];
  let screen = "";
  for await (const shown of child.stdout.pipeThrough(new TextDecoderStream())) {
    screen += shown;
    if (PROMPT.test(screen)) await type(answers.shift() ?? END_OF_INPUT);
  }
  const { code } = await child.status;
  // Only now: the end of input would end the terminal.
  await writer.close().catch(() => {});
  return { code, screen };
}
