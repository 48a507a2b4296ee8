import type { Question } from "../../../schemas/context.ts";
import { ToolError } from "../../../schemas/error.ts";
import type { Confirm, ConfirmCall, Consent } from "../../../schemas/permission.ts";
import type { AskPerson } from "../../calls/control.ts";
import { orAborted } from "../../wait/or_aborted.ts";
import { Semaphore } from "../../wait/semaphore.ts";
import { onOneLine } from "../../text/strip_controls.ts";
import { type Bell, makeBell } from "./bell.ts";
import { wantsColors } from "./colors.ts";
import { type Io, printError } from "./io.ts";

/** How much of the arguments, or of a model's question, is shown, in characters. */
const MAX_SHOWN = 4_000;

/** What Ctrl-D at a question means. */
const NO_ANSWER =
  "The person was asked and ended the input without an answer. Go on with what is known, and say what was " +
  "assumed";

/** The person at the terminal: answers one question at a time. */
export interface Person {
  confirm: Confirm;
  ask: AskPerson;
}

/**
 * Finds the person at the terminal.
 *
 * @param options `noColor` for `--no-color`
 * @returns `null` if there is no person: no terminal for both sides, or `CI` is set
 */
export function findPerson(io: Io, { noColor = false }: { noColor?: boolean } = {}): Person | null {
  if (!io.stdinIsTerminal() || io.stderrWidth() === null || io.env("CI")) return null;
  const turns = new Semaphore(1);
  const readLine = lineReader(io);
  // Asked now: later the environment may be out of reach.
  const bell = makeBell(io);
  const colors = wantsColors(io, { noColor, isTerminal: true });
  return {
    confirm: (call) => turns.use(() => askConsent(call, { io, readLine, bell, colors })),
    ask: (question, { signal }) =>
      turns.use(async () => {
        if (signal.aborted) return null;
        await bell();
        await printError(io, showQuestion(question));
        const line = await orAborted(readLine(), signal);
        if (line === null) await printError(io, "\n");
        if (signal.aborted) return null;
        if (line === null) throw new ToolError("unavailable", NO_ANSWER);
        return line.replace(/\r?\n$/, "");
      }),
  };
}

/** Asks until the answer is one; no answer is a no. */
async function askConsent(
  call: ConfirmCall,
  { io, readLine, bell, colors }: {
    io: Io;
    readLine(): Promise<string | null>;
    bell: Bell;
    colors: boolean;
  },
): Promise<Consent> {
  await bell();
  // Most runs ask for nothing.
  const { showChoices, showConsent } = await import("./show_consent.ts");
  const preview = await call.preview();
  let whole = false;
  for (;;) {
    const shown = showConsent(call, preview, { colors, whole });
    await printError(io, `${onOneLine(call.question)}\n${shown}${showChoices(preview)}`);
    const line = await orAborted(readLine(), io.interrupt);
    if (line === null) {
      // What comes next begins a line of its own.
      await printError(io, "\n");
      return false;
    }
    const [, word = "", said = ""] = /^\s*([a-z]+|\?|)[\s:,]*(.*?)\s*$/is.exec(line) ?? [];
    const answer = word.toLowerCase();
    if (["y", "yes"].includes(answer) && said === "") return "once";
    if (["a", "always"].includes(answer) && said === "" && preview.always !== null) return "run";
    if (!["e", "explain", "?"].includes(answer)) return await readReason({ answer, said, io, readLine });
    whole = true;
  }
}

/** All but a yes is a no. Who says no may say why. */
async function readReason(
  { answer, said, io, readLine }: {
    answer: string;
    said: string;
    io: Io;
    readLine(): Promise<string | null>;
  },
): Promise<Consent> {
  if (!["n", "no"].includes(answer)) return false;
  if (said !== "") return { no: said };
  await printError(io, "Why not? The model reads it; Enter for no reason: ");
  const reason = (await readLine() ?? "").trim();
  return reason === "" ? false : { no: reason };
}

/** A pending read cannot be cancelled. If its question is over, it takes the line for the next question. */
function lineReader(io: Io): () => Promise<string | null> {
  let pending: Promise<string | null> | undefined;
  return () => pending ??= io.readLine().finally(() => pending = undefined);
}

/** A model wrote this text. It must not steer the terminal or look like text of this program. */
function showQuestion({ tool, question, context }: Question & { tool: string }): string {
  const reason = context === undefined || context.trim() === "" ? "" : `Context: ${indent(context)}\n`;
  return `\n[${tool.split("/").at(-1)}]\n${reason}Question: ${indent(question)}\n> `;
}

function indent(text: string): string {
  return clip(text.trim()).split(/\r\n|[\r\n]/).map(onOneLine).join("\n  ");
}

function clip(text: string): string {
  const more = text.length - MAX_SHOWN;
  return more > 0 ? `${text.slice(0, MAX_SHOWN)}… ${more} characters more` : text;
}
