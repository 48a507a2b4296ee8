import { ToolError } from "../../../schemas/error.ts";
import { settlesWithin } from "../../wait/settles_within.ts";
import type { JudgedCall } from "../launch/judge_command.ts";
import type { JudgedLaunch, JudgedLauncher } from "../launch/judged_launch.ts";
import type { ProgramProcess } from "./program_process.ts";
import { commandLine, setupLine } from "./shell_protocol.ts";

/** What the input of a program needs around it. */
export interface ProgramInputParts {
  /** The session's, for messages. */
  id: string;
  program: ProgramProcess;
  launch: JudgedLaunch;
  launcher: JudgedLauncher;
  /** The program was opened as a shell that waits for commands. */
  isShell: boolean;
}

/** How long a program may take to read what is written to it, in milliseconds. */
const WRITE_MS = 2_000;
/** Size of a piece that a pipe takes as a whole or not at all: PIPE_BUF. */
const WRITE_BYTES = 4_096;
/** How long a key may take to be typed, in milliseconds. */
const TYPE_MS = 100;
const CTRL_C = "\x03";
/** What ends a line or gives it up: line ends, Ctrl-C, Ctrl-U. */
const LINE_ENDS = ["\r", "\n", CTRL_C, "\x15"];
/** Most characters that are kept of a line that is not finished. */
const MAX_LINE = 8_192;

/** The input of a program that stays: each text is judged before it goes in, since a shell may run it. */
export class ProgramInput {
  /** Of a shell: stands in its marks. */
  readonly nonce: string | null;
  readonly #parts: ProgramInputParts;
  #hasEnded = false;
  #written: Promise<unknown> = Promise.resolve();
  /** What was typed of a line that is not finished. */
  #line = "";

  constructor(parts: ProgramInputParts) {
    this.#parts = parts;
    this.nonce = parts.isShell ? crypto.randomUUID() : null;
    void parts.program.exitCode.then(() => this.#hasEnded = true);
  }

  /** Makes a shell ready for its first command. */
  async begin(): Promise<void> {
    if (this.nonce !== null) await this.#write(setupLine(this.nonce));
  }

  /** Has the shell run a command, once it was judged. */
  async command(script: string, call: JudgedCall): Promise<void> {
    const { launcher, launch } = this.#parts;
    if (this.nonce === null) throw this.conflict("it was not opened as a shell");
    await launcher.judgeInput({ script, shell: "bash" }, call, launch);
    await this.#write(commandLine(script));
  }

  /** Writes a text, once it was judged: a shell takes it for commands, and in a terminal there may be one. */
  async type(data: string, call: JudgedCall): Promise<void> {
    const { launcher, launch } = this.#parts;
    const line = this.#line + data;
    const typed = { script: line, shell: "bash", typed: true };
    const command = this.nonce === null ? typed : { script: data, shell: "bash" };
    await launcher.judgeInput(command, call, launch);
    await this.#write(data);
    // What stands before the end of a line is judged together with the rest of it.
    const end = Math.max(...LINE_ENDS.map((char) => line.lastIndexOf(char)));
    this.#line = line.slice(end + 1).slice(-MAX_LINE);
  }

  /** Types Ctrl-C behind what was written before, which may be more than the program ever reads. */
  async interrupt(): Promise<void> {
    await settlesWithin(this.#enqueue(new TextEncoder().encode(CTRL_C)), TYPE_MS);
  }

  /** Returns the error of input that the program does not take. */
  conflict(why: string): ToolError {
    const { id } = this.#parts;
    return new ToolError("conflict", `Session ${id} takes no input: ${why}`, { details: { id } });
  }

  /** Writes in order; bounded, because a program need not read: then the rest is dropped. */
  async #write(data: string): Promise<void> {
    if (this.#hasEnded) throw this.conflict("it has ended");
    if (!await settlesWithin(this.#written, WRITE_MS)) throw this.#notReading("nothing of it was written");
    const bytes = new TextEncoder().encode(data);
    const deadline = performance.now() + WRITE_MS;
    for (let sent = 0; sent < bytes.length; sent += WRITE_BYTES) {
      const taken = this.#enqueue(bytes.slice(sent, sent + WRITE_BYTES));
      if (!await settlesWithin(taken, deadline - performance.now())) {
        throw this.#notReading(`${bytes.length - sent} bytes of ${bytes.length} were not taken`);
      }
      if (!await taken) throw this.conflict(this.#hasEnded ? "it has ended" : "it has closed its input");
    }
  }

  /** Returns whether the program took it; its input may be closed. */
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
