import type { Confirm } from "../../schemas/permission.ts";
import { Semaphore } from "../semaphore.ts";
import { onOneLine, visibleJson } from "../strip_controls.ts";
import { type Io, printError } from "./io.ts";

/** How much of the arguments is shown, in characters. */
const MAX_SHOWN = 4_000;

/**
 * Makes a way to ask the person at the terminal, one question at a time.
 *
 * @returns `null` if nobody is there: no terminal for both sides, or `CI` is set
 */
export function makeConfirm(io: Io): Confirm | null {
  if (!io.stdinIsTerminal() || !io.stderrIsTerminal() || io.env("CI")) return null;
  const turns = new Semaphore(1);
  return ({ input, question }) =>
    turns.use(async () => {
      await printError(io, `${onOneLine(question)}\n  ${showArguments(input)}\nLet it run? [y/N] `);
      const answer = await io.readLine();
      return /^\s*y(es)?\s*$/i.test(answer ?? "");
    });
}

function showArguments(input: unknown): string {
  const text = visibleJson(input);
  const more = text.length - MAX_SHOWN;
  return more > 0 ? `${text.slice(0, MAX_SHOWN)}… ${more} characters more` : text;
}
