// Shows what the program does: a recorded run of an agent in a copy of scripts/demo, a batch of calls, one that is
// refused, the flag that grants it, and a shell behind the same walls.
//   deno task demo
// Ends with code 0 only if everything went as shown.
import { dirname, fromFileUrl, join } from "@std/path";

import config from "../deno.json" with { type: "json" };
import type { ToolResult } from "../schemas/result.ts";

const EXAMPLES = fromFileUrl(new URL("./demo", import.meta.url));
const MAIN = fromFileUrl(new URL("../main.ts", import.meta.url));
const REFUSED = 3;
/** Reads a file, a secret, a home and the network. */
const COMMAND = "wc -l orders.csv; cat .env; ls /home; getent hosts example.com || echo no network";
const SHOWN_LINES = 3;
const colorful = Deno.stdout.isTerminal() && !Deno.env.get("NO_COLOR");

const folder = await Deno.realPath(await Deno.makeTempDir({ prefix: "bulkhead-demo-" }));
try {
  await copyFolder(EXAMPLES, folder);
  const fixed = await demonstrateAgent();
  await copyFolder(EXAMPLES, folder);
  const broken = [...fixed ? [] : ["the agent"], ...await demonstrate()];
  print(broken.length === 0 ? "" : `\nNot as it should be: ${broken.join(", ")}\n`);
  Deno.exitCode = broken.length === 0 ? 0 : 1;
} finally {
  await Deno.remove(folder, { recursive: true });
}

/** A call's line of output in a batch. */
type Answer = ToolResult & { id: string };

/** Replays a recorded run and really runs its calls; says whether all went as recorded. */
async function demonstrateAgent(): Promise<boolean> {
  print(
    "An agent fixes a bug in a folder with a small shop, on a copy that is removed at the end. What the model said was\n" +
      "recorded, so that no key is needed; its calls really run, and must give what they gave then.\n",
  );
  const words = ["--model", "replay:agent.jsonl", "--replay-tools", "--no-session"];
  print(heading(`run ${words.join(" ")}`));
  const { code, stdout, stderr } = await bulkhead("run", ...words);
  print(`${indent(linesOf(stderr).map(shorten))}\n`);
  print(stdout);
  const cart = await Deno.readTextFile(join(folder, "src/cart.ts"));
  return code === 0 && cart.includes("Math.max(0, sum - discount)") &&
    stderr.includes("refused Read path=.env");
}

/** Runs the other parts; returns what did not go as shown. */
async function demonstrate(): Promise<string[]> {
  print("\nA script asks for seven tool calls in the same folder, as it was.\n");
  print(heading("batch calls.jsonl --plan"));
  const batch = await bulkhead("batch", "calls.jsonl", "--plan");
  print(`${batch.stderr}\n`);
  const answers = batch.stdout.trim().split("\n").map((line) => JSON.parse(line) as Answer);
  print(answers.map(showAnswer).join(""));
  print(
    `The exit code is ${batch.code}: a call was refused, and its answer names the flag that grants it.\n`,
  );

  const refused = answers.find(({ ok }) => !ok);
  const flag = String(refused?.error?.details.flag);
  print(heading(`call Read path=.env ${shorten(flag)}`));
  const granted = await bulkhead("call", "Read", "path=.env", flag);
  print(`${indent(lastLines(granted.stdout || granted.stderr))}\n`);
  print(await describeWalls(answers));

  const held = await demonstrateShell({
    boxed: answers.every(({ metadata }) => metadata.place === "sandbox"),
  });

  const cart = await Deno.readTextFile(join(folder, "src/cart.ts"));
  return Object.entries({
    "the plan": batch.stderr.startsWith("plan: 7 calls in 4 blocks\n"),
    "the order of the answers": answers.map(({ id }) => id).join() === await idsOfCalls(),
    "the edit": cart.includes("Math.max(0, sum - discount)"),
    "the refusal": batch.code === REFUSED && refused?.id === "secret" && answers.at(-1) === refused,
    "the grant": granted.code === 0 && granted.stdout.includes("PAYMENT_KEY"),
    "the shell": held,
  }).filter(([, right]) => !right).map(([what]) => what);
}

/**
 * Says whether the shell did its work and met the walls of its box, or did not start where there is no box.
 */
async function demonstrateShell({ boxed }: { boxed: boolean }): Promise<boolean> {
  print(heading(`call Bash command='${COMMAND}'`));
  const { code, stdout, stderr } = await bulkhead("call", "Bash", `command=${COMMAND}`);
  print(`${indent(linesOf(stdout || stderr).map(shorten))}\n`);
  if (!boxed) {
    print("Without a sandbox no shell runs unless you name it: then it could do all that you can.\n");
    return code === REFUSED && stderr.includes("--allow-run=bash");
  }
  print("The shell ran in a sandbox of its own: no secrets, no homes, no network.\n");
  const met = ["4 orders.csv", "no network", ".env: Permission denied"];
  return code === 0 && met.every((line) => stdout.includes(line)) && !stdout.includes("PAYMENT_KEY");
}

interface Ended {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs the program from source, with the flags of the task `start`, in the copied folder. */
async function bulkhead(...args: string[]): Promise<Ended> {
  const words = config.tasks.start.command.split(" ").slice(1);
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [...words.map((word) => word === "main.ts" ? MAIN : word), ...args],
    cwd: folder,
    // The demo reads the messages of programs.
    env: { INIT_CWD: folder, LC_ALL: "C" },
  }).output();
  const decoder = new TextDecoder();
  return { code, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
}

function showAnswer({ ok, id, tool_name, text }: Answer): string {
  const verdict = ok ? paint("32", "ok     ") : paint("31", "refused");
  return `${verdict} ${paint("1", id)} ${paint("2", tool_name)}\n${indent(lastLines(text))}`;
}

/** The facts at the head of an answer are for models; people want the lines that were found. */
function lastLines(text: string): string[] {
  const found = text.split(/^(?:results|content):\n/m).at(-1) ?? "";
  return linesOf(found).slice(-SHOWN_LINES).map(shorten);
}

function linesOf(text: string): string[] {
  return text.split("\n").filter((line) => line.trim() !== "");
}

async function describeWalls(answers: readonly Answer[]): Promise<string> {
  if (answers.every(({ metadata }) => metadata.place === "sandbox")) {
    return "The calls ran in sandboxes: this folder, the system's programs and bulkhead itself to read, and no network.\n";
  }
  const { findings } = JSON.parse((await bulkhead("doctor", "--json")).stdout);
  const { detail } = findings.find(({ check }: { check: string }) => check === "sandbox");
  return `The calls ran behind Deno's permissions alone: ${detail}\n`;
}

async function idsOfCalls(): Promise<string> {
  const lines = (await Deno.readTextFile(join(folder, "calls.jsonl"))).trim().split("\n");
  return lines.map((line) => JSON.parse(line).id).join();
}

async function copyFolder(from: string, to: string): Promise<void> {
  for await (const { name, isDirectory } of Deno.readDir(from)) {
    const target = join(to, name);
    await Deno.mkdir(dirname(target), { recursive: true });
    if (isDirectory) await copyFolder(join(from, name), target);
    else await Deno.copyFile(join(from, name), target);
  }
}

function heading(command: string): string {
  return `\n${paint("1;36", `$ bulkhead ${command}`)}\n`;
}

function indent(lines: readonly string[]): string {
  return lines.map((line) => `        ${line}\n`).join("");
}

/** Removes the paths of the copy, which no reader needs. */
function shorten(text: string): string {
  return text.replaceAll(`${folder}/`, "");
}

function paint(style: string, text: string): string {
  return colorful ? `\x1b[${style}m${text}\x1b[0m` : text;
}

function print(text: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(text));
}
