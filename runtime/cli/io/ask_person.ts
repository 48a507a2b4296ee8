import { ToolError } from "../../../schemas/error.ts";
import type { Confirm, ConfirmCall, Consent } from "../../../schemas/permission.ts";
import type { AskPerson } from "../../calls/control.ts";
import { Semaphore } from "../../wait/semaphore.ts";
import { onOneLine } from "../../text/strip_controls.ts";
import { type Bell, makeBell } from "./bell.ts";
import { wantsColors } from "./colors.ts";
import { IN_CHAT } from "./in_chat.ts";
import { type Io, printError } from "./io.ts";
import { Questioner, QUIET_MS } from "./keyboard.ts";

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
 * Finds the person at the terminal. An answer counts only if it is typed after its question was shown.
 *
 * @param options `noColor` for `--no-color`; `quietMs` is how long nothing must be typed before an answer counts
 * @returns `null` if there is no person: no terminal for both sides, or `CI` is set
 */
export function findPerson(
  io: Io,
  { noColor = false, quietMs = QUIET_MS }: { noColor?: boolean; quietMs?: number } = {},
): Person | null {
  if (!io.stdinIsTerminal() || io.stderrWidth() === null || io.env("CI")) return null;
  const turns = new Semaphore(1);
  const inChat = io.env(IN_CHAT) !== undefined;
  // Asked now: later the environment may be out of reach.
  const asking: Asking = {
    io,
    questioner: new Questioner(io.keyboard, (text) => printError(io, text), {
      quietMs,
      columns: io.env("TERM") === "dumb" ? () => null : () => io.stderrWidth(),
    }),
    bell: makeBell(io),
    colors: wantsColors(io, { noColor, isTerminal: true }),
  };
  return {
    confirm: (call) => turns.use(() => askConsent(call, asking)),
    ask: (question, { signal }) =>
      turns.use(async () => {
        // The prompt of a chat is the better place for what comes next.
        if (signal.aborted || (question.isAnswer && inChat)) return null;
        await asking.bell();
        const line = await asking.questioner.ask({ shown: showQuestion(question), prompt: "> " }, signal);
        if (line === null) await printError(io, "\n");
        if (signal.aborted) return null;
        if (line === null) throw new ToolError("unavailable", NO_ANSWER);
        return line;
      }),
  };
}

/** What all questions need. */
interface Asking {
  io: Io;
  questioner: Questioner;
  bell: Bell;
  colors: boolean;
}

/** Asks until the answer is one; no answer is a no. */
async function askConsent(call: ConfirmCall, asking: Asking): Promise<Consent> {
  const { io, colors } = asking;
  await asking.bell();
  // Most runs ask for nothing.
  const { showChoices, showConsent } = await import("./show_consent.ts");
  const preview = await call.preview();
  let whole = false;
  for (;;) {
    const shown = `${onOneLine(call.question)}\n${showConsent(call, preview, { colors, whole })}`;
    const line = await asking.questioner.ask({ shown, prompt: showChoices(preview) }, io.interrupt);
    if (line === null) {
      // What comes next begins a line of its own.
      await printError(io, "\n");
      return false;
    }
    const [, word = "", said = ""] = /^\s*([a-z]+|\?|)[\s:,]*(.*?)\s*$/is.exec(line) ?? [];
    const answer = word.toLowerCase();
    if (["y", "yes"].includes(answer) && said === "") return "once";
    if (["a", "always"].includes(answer) && said === "" && preview.always !== null) return "run";
    if (!["e", "explain", "?"].includes(answer)) return await readReason({ answer, said }, asking);
    whole = true;
  }
}

/** All but a yes is a no. Who says no may say why. */
async function readReason(
  { answer, said }: { answer: string; said: string },
  asking: Asking,
): Promise<Consent> {
  if (!["n", "no"].includes(answer)) return false;
  if (said !== "") return { no: said };
  const prompt = "Why not? The model reads it; Enter for no reason: ";
  const reason = (await asking.questioner.ask({ shown: "", prompt }, asking.io.interrupt) ?? "").trim();
  return reason === "" ? false : { no: reason };
}

/** A model wrote this text. It must not steer the terminal or look like text of this program. */
function showQuestion({ question, context, isAnswer }: Parameters<AskPerson>[0]): string {
  const reason = context === undefined || context.trim() === "" ? "" : `Context: ${indent(context)}\n`;
  const shown = isAnswer ? `  ${indent(question)}` : `Question: ${indent(question)}`;
  return `\n${reason}${shown}\n`;
}

function indent(text: string): string {
  return clip(text.trim()).split(/\r\n|[\r\n]/).map(onOneLine).join("\n  ");
}

function clip(text: string): string {
  const more = text.length - MAX_SHOWN;
  return more > 0 ? `${text.slice(0, MAX_SHOWN)}… ${more} characters more` : text;
}
