import { ToolError } from "../../../schemas/error.ts";
import { settlesWithin } from "../../wait/settles_within.ts";
import type { JudgedLaunch, JudgedLauncher } from "../launch/judged_launch.ts";
import { type TellEnd, tellStart } from "../launch/tell_start.ts";
import type { ProgramCall } from "./program_host.ts";
import type { ProgramProcess } from "./program_process.ts";
import { answerMark, commandLine, MarkReader, setupLine } from "./shell_protocol.ts";

/** What the input of a program needs. */
export interface ProgramInputParts {
  /** The session's id, for messages. */
  id: string;
  program: ProgramProcess;
  launcher: JudgedLauncher;
  launch: JudgedLaunch;
  /** Number of the program in its host. */
  number: number;
  nextNumber(): number;
  /** The program was opened as a shell that waits for commands. */
  isShell: boolean;
}

/** Longest time for a program to read what is written to it, in milliseconds. */
const WRITE_MS = 2_000;
/** PIPE_BUF: a pipe takes a piece of this size as a whole or not at all. */
const WRITE_BYTES = 4_096;
/** Longest time to type a key, in milliseconds. */
const TYPE_MS = 100;
const CTRL_C = "\x03";
/** Characters that end or discard a line: line ends that no backslash takes away, Ctrl-C, Ctrl-U. */
// deno-lint-ignore no-control-regex
const LINE_END = /(?<!(?<!\\)(?:\\\\)*\\)[\r\n]|[\x03\x15]/g;
/** How many characters of an unfinished line are kept. */
const MAX_LINE = 8_192;

/** The input of an open program. Each text is judged before it is written, because a shell may run it. */
export class ProgramInput {
  /** The part of a shell's marks that belongs to this shell. */
  readonly nonce: string | null;
  readonly #parts: ProgramInputParts;
  readonly #marks: MarkReader | null;
  /** Tells of the end of the shell's command, if one runs. */
  #tellEnd: TellEnd | null = null;
  #hasEnded = false;
  #written: Promise<unknown> = Promise.resolve();
  /** The unfinished line. */
  #line = "";

  constructor(parts: ProgramInputParts) {
    this.#parts = parts;
    this.nonce = parts.isShell ? crypto.randomUUID() : null;
    this.#marks = this.nonce === null ? null : new MarkReader(this.nonce);
    void parts.program.exitCode.then(() => this.#hasEnded = true);
  }

  /** Makes a shell ready for its first command. That one has ended by then is told by what is read of it. */
  async begin(): Promise<void> {
    if (this.nonce === null) return;
    try {
      await this.#write(setupLine(this.nonce));
    } catch (error) {
      if (!(error instanceof ToolError) || error.code !== "conflict") throw error;
    }
  }

  /** Makes the shell run a command, after it was judged. */
  async command(script: string, call: ProgramCall): Promise<void> {
    const { launcher, launch, id, nextNumber } = this.#parts;
    if (this.nonce === null) throw this.conflict("it was not opened as a shell");
    const risk = await launcher.judgeInput({ script, shell: "bash" }, call);
    // A command before it was given up.
    this.endCommand(null, "cancelled");
    const start = { program: nextNumber(), launch, risk, session: id, command: script };
    this.#tellEnd = tellStart(call, start);
    try {
      await this.#write(commandLine(script));
    } catch (error) {
      this.endCommand(null, "failed");
      throw error;
    }
  }

  /** What is told of a shell. */
  get shell(): { nonce?: string; runs?: boolean } {
    return this.nonce === null ? {} : { nonce: this.nonce, runs: !this.isIdle };
  }

  /** It belongs to a shell that runs no command. */
  get isIdle(): boolean {
    return this.nonce !== null && this.#tellEnd === null;
  }

  /** Looks in the shell's output for the end of its command. */
  seeOutput(bytes: Uint8Array): void {
    const prompt = this.#marks?.push(bytes);
    if (!prompt || this.nonce === null) return;
    // It comes after all that was written before, also where the shell has not taken that yet.
    void this.#enqueue(new TextEncoder().encode(answerMark(this.nonce, prompt.number)));
    if (prompt.code !== null) this.endCommand(prompt.code, "exited");
  }

  /** Tells that the shell's command has ended, if one runs. */
  endCommand(...end: Parameters<TellEnd>): void {
    this.#tellEnd?.(...end);
    this.#tellEnd = null;
  }

  /**
   * Writes a text, after it was judged. A shell reads it as commands, and a terminal may have a shell in it.
   */
  async type(data: string, call: ProgramCall): Promise<void> {
    const { launcher, id, number } = this.#parts;
    const line = this.#line + data;
    const typed = { script: line, shell: "bash", typed: true };
    const command = this.nonce === null ? typed : { script: data, shell: "bash" };
    const risk = await launcher.judgeInput(command, call);
    if (this.isIdle) throw this.conflict("no command runs in it");
    const reader = this.#tellEnd;
    call.onEvent?.({ type: "program.input", program: number, session: id, text: data, risk });
    await this.#write(data, () => this.#tellEnd === reader);
    // The judge sees the end of a line together with the earlier part of that line.
    this.#line = line.slice(lastLineEnd(line)).slice(-MAX_LINE);
  }

  /** Types Ctrl-C after the earlier input. The program may never read all of that input. */
  async interrupt(): Promise<void> {
    await settlesWithin(this.#enqueue(new TextEncoder().encode(CTRL_C)), TYPE_MS);
  }

  /** Returns the error of input that the program does not take. */
  conflict(why: string): ToolError {
    const { id } = this.#parts;
    return new ToolError("conflict", `Session ${id} takes no input: ${why}`, { details: { id } });
  }

  /**
   * Writes in order. The time is bounded because a program may not read: then the rest is dropped.
   *
   * @param isMeant Says whether what the text is meant for still runs. @default always
   */
  async #write(data: string, isMeant = () => true): Promise<void> {
    if (this.#hasEnded) throw this.conflict("it has ended");
    if (!await settlesWithin(this.#written, WRITE_MS)) throw this.#notReading("nothing of it was written");
    const bytes = new TextEncoder().encode(data);
    const deadline = performance.now() + WRITE_MS;
    for (let sent = 0; sent < bytes.length; sent += WRITE_BYTES) {
      if (!isMeant()) throw this.conflict("the command has ended that it was for");
      const taken = this.#enqueue(bytes.slice(sent, sent + WRITE_BYTES));
      if (!await settlesWithin(taken, deadline - performance.now())) {
        throw this.#notReading(`${bytes.length - sent} bytes of ${bytes.length} were not taken`);
      }
      if (!await taken) throw this.conflict(this.#hasEnded ? "it has ended" : "it has closed its input");
    }
  }

  /** Returns whether the program took the text; its input may be closed. */
  #enqueue(bytes: Uint8Array): Promise<boolean> {
    const taken = this.#parts.program.write(bytes).then(() => true, () => false);
    this.#written = taken;
    return taken;
  }

  #notReading(what: string): ToolError {
    const { id } = this.#parts;
    return new ToolError(
      "unavailable",
      `Session ${id} does not read its input: ${what}; interrupt its program or close it`,
      { details: { id } },
    );
  }
}

/** Returns the position after the last end of a line. */
function lastLineEnd(text: string): number {
  const last = [...text.matchAll(LINE_END)].at(-1);
  return last === undefined ? 0 : last.index + 1;
}
