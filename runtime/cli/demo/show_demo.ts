import { join } from "@std/path";

import STEPS from "../../../scripts/demo_steps.json" with { type: "json" };
import type { Place, ToolResult } from "../../../schemas/result.ts";
import type { Options } from "../args/options/option_table.ts";
import type { Invocation } from "../args/parse_argv.ts";
import { wantsColors } from "../io/colors.ts";
import { type Io, print, selfOf } from "../io/io.ts";
import { writeExamples } from "./examples.ts";

/** What the parts of the demo share. */
interface Demo {
  io: Io;
  /** The copy of the examples. */
  folder: string;
  colorful: boolean;
}

const REFUSED = 3;
/** Where calls run behind walls of the kernel. */
const ENCLOSED: readonly Place[] = ["sandbox", "landlock"];
const SHOWN_LINES = 3;

/** `demo`: ends with 1 if something did not go as it should. */
export async function demoCommand({ options }: Invocation, io: Io): Promise<number> {
  return await showDemo(io, options) ? 0 : 1;
}

/**
 * Shows what the program does: a recorded run of an agent in a small folder of examples, a batch of calls, one that is
 * refused, the flag that grants it, and a shell behind the same walls. The folder is a temporary one, and removed.
 *
 * @returns Whether everything went as shown
 */
async function showDemo(io: Io, { noColor }: Options): Promise<boolean> {
  const folder = await Deno.realPath(await Deno.makeTempDir({ prefix: "bulkhead-demo-" }));
  const colorful = wantsColors(io, { noColor, isTerminal: io.stdoutWidth() !== null });
  const demo = { io, folder, colorful };
  try {
    await writeExamples(folder);
    const fixed = await demonstrateAgent(demo);
    await writeExamples(folder);
    const broken = [...fixed ? [] : ["the agent"], ...await demonstrate(demo)];
    if (broken.length > 0) await print(io, `\nNot as it should be: ${broken.join(", ")}\n`);
    return broken.length === 0;
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** A call's line of output in a batch. */
type Answer = ToolResult & { id: string };

/** Replays a recorded run and really runs its calls; says whether all went as recorded. */
async function demonstrateAgent(demo: Demo): Promise<boolean> {
  await print(
    demo.io,
    "An agent fixes a bug in a folder with a small shop, on a copy that is removed at the end. What the model said was\n" +
      "recorded, so that no key is needed; its calls really run, and must give what they gave then.\n",
  );
  const words = ["--model", "replay:agent.jsonl", "--replay-tools", "--no-session"];
  await print(demo.io, heading(demo, `run ${words.join(" ")}`));
  const { code, stdout, stderr } = await bulkhead(demo, "run", ...words);
  await print(demo.io, `${indent(linesOf(stderr).map((line) => shorten(demo, line)))}\n`);
  await print(demo.io, stdout);
  const cart = await Deno.readTextFile(join(demo.folder, "src/cart.ts"));
  return code === 0 && cart.includes("Math.max(0, sum - discount)") &&
    stderr.includes("refused Read path=.env");
}

/** Runs the other parts; returns what did not go as shown. */
async function demonstrate(demo: Demo): Promise<string[]> {
  await print(demo.io, "\nA script asks for seven tool calls in the same folder, as it was.\n");
  await print(demo.io, heading(demo, "batch calls.jsonl --plan"));
  const batch = await bulkhead(demo, "batch", "calls.jsonl", "--plan");
  const [plan = "", ...told] = batch.stderr.split(/^(?=bulkhead: )/m);
  await print(demo.io, `${plan}\n`);
  const answers = batch.stdout.trim().split("\n").map((line) => JSON.parse(line) as Answer);
  await print(demo.io, answers.map((answer) => showAnswer(demo, answer)).join(""));
  await print(demo.io, shorten(demo, told.join("")));
  await print(
    demo.io,
    `The exit code is ${batch.code}: a call was refused, and its answer names the flag that grants it.\n`,
  );

  const refused = answers.find(({ ok }) => !ok);
  const flag = String(refused?.error?.details.flag);
  await print(demo.io, heading(demo, `call ${STEPS.secret.join(" ")} ${shorten(demo, flag)}`));
  const granted = await bulkhead(demo, "call", ...STEPS.secret, flag);
  await print(demo.io, `${indent(lastLines(demo, granted.stdout || granted.stderr))}\n`);
  await print(demo.io, await describeWalls(demo, answers));

  const held = await demonstrateShell(demo, {
    boxed: answers.every(({ metadata }) => ENCLOSED.includes(metadata.place)),
  });

  const cart = await Deno.readTextFile(join(demo.folder, "src/cart.ts"));
  return Object.entries({
    "the plan": batch.stderr.startsWith("plan: 7 calls in 4 blocks\n"),
    "the order of the answers": answers.map(({ id }) => id).join() === await idsOfCalls(demo),
    "the edit": cart.includes("Math.max(0, sum - discount)"),
    "the refusal": batch.code === REFUSED && refused?.id === "secret" && answers.at(-1) === refused,
    "the grant": granted.code === 0 && granted.stdout.includes("PAYMENT_KEY"),
    "the shell": held,
  }).filter(([, right]) => !right).map(([what]) => what);
}

/**
 * Says whether the shell did its work and met the walls of its box, or did not start where there is no box.
 */
async function demonstrateShell(demo: Demo, { boxed }: { boxed: boolean }): Promise<boolean> {
  await print(demo.io, heading(demo, `call ${STEPS.shell.tool} command='${STEPS.shell.command}'`));
  const { code, stdout, stderr } = await bulkhead(
    demo,
    "call",
    STEPS.shell.tool,
    `command=${STEPS.shell.command}`,
  );
  await print(demo.io, `${indent(linesOf(stdout || stderr).map((line) => shorten(demo, line)))}\n`);
  if (!boxed) {
    await print(
      demo.io,
      "Without a sandbox no shell runs unless you name it: then it could do all that you can.\n",
    );
    return code === REFUSED && stderr.includes("--allow-run=bash");
  }
  await print(demo.io, "The shell ran in a sandbox of its own: no secrets, an empty home, no network.\n");
  const met = ["4 orders.csv", "\n0\n", "no network", ".env: Permission denied"];
  return code === 0 && met.every((line) => stdout.includes(line)) && !stdout.includes("PAYMENT_KEY");
}

interface Ended {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs this very program in the copied folder. */
async function bulkhead({ io, folder }: Demo, ...args: string[]): Promise<Ended> {
  const self = selfOf(io);
  const [program = "", ...words] = self.argv.slice(0, -1);
  const { code, stdout, stderr } = await new Deno.Command(program, {
    args: [...words, ...args],
    cwd: folder,
    // The demo reads the messages of programs.
    env: { ...self.env, INIT_CWD: folder, LC_ALL: "C" },
    signal: io.interrupt,
  }).output();
  const decoder = new TextDecoder();
  return { code, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
}

function showAnswer(demo: Demo, { ok, id, tool_name, text }: Answer): string {
  const verdict = ok ? paint(demo, "32", "ok     ") : paint(demo, "31", "refused");
  return `${verdict} ${paint(demo, "1", id)} ${paint(demo, "2", tool_name)}\n${
    indent(lastLines(demo, text))
  }`;
}

/** The facts at the head of an answer are for models; people want the lines that were found. */
function lastLines(demo: Demo, text: string): string[] {
  const found = text.split(/^(?:results|content):\n/m).at(-1) ?? "";
  return linesOf(found).slice(-SHOWN_LINES).map((line) => shorten(demo, line));
}

function linesOf(text: string): string[] {
  return text.split("\n").filter((line) => line.trim() !== "");
}

async function describeWalls(demo: Demo, answers: readonly Answer[]): Promise<string> {
  if (answers.every(({ metadata }) => ENCLOSED.includes(metadata.place))) {
    return "The calls ran in sandboxes: this folder, the system's programs and bulkhead itself to read, and no network.\n";
  }
  const { findings } = JSON.parse((await bulkhead(demo, "doctor", "--json")).stdout);
  const { detail } = findings.find(({ check }: { check: string }) => check === "sandbox");
  return `The calls ran behind Deno's permissions alone: ${detail}\n`;
}

async function idsOfCalls({ folder }: Demo): Promise<string> {
  const lines = (await Deno.readTextFile(join(folder, "calls.jsonl"))).trim().split("\n");
  return lines.map((line) => JSON.parse(line).id).join();
}

function heading(demo: Demo, command: string): string {
  return `\n${paint(demo, "1;36", `$ bulkhead ${command}`)}\n`;
}

function indent(lines: readonly string[]): string {
  return lines.map((line) => `        ${line}\n`).join("");
}

/** Removes the paths of the copy, which no reader needs. */
function shorten({ folder }: Demo, text: string): string {
  return text.replaceAll(`${folder}/`, "");
}

function paint({ colorful }: Demo, style: string, text: string): string {
  return colorful ? `\x1b[${style}m${text}\x1b[0m` : text;
}
