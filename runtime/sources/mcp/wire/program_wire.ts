import type { PipedEnd, PipedProgram } from "../../../programs/narrow/piped_program.ts";
import type { NarrowPrograms } from "../../../programs/narrow/narrow_programs.ts";
import { toToolError } from "../../../calls/failed_result.ts";
import type { CommandAnalysis } from "../../../../schemas/command.ts";
import type { Connection } from "../../../../schemas/net.ts";
import type { ProgramSpec } from "../../../../schemas/program.ts";
import { plural } from "../../../text/plural.ts";
import { onOneLine } from "../../../text/strip_controls.ts";
import { cutLines } from "./cut_lines.ts";
import type { ServerLife } from "./server_audit.ts";
import { MAX_SERVER_MESSAGE, type McpWire, type OpenWire, type WireEnd } from "./mcp_wire.ts";

/** Most bytes that wait for a server which does not read. */
const MAX_UNREAD = 64 * 1024 * 1024;
/** How long a server may take to end by itself once nothing more is said to it, in milliseconds. */
const CLOSING_MS = 500;
/** Characters of its last lines that are told. */
const SAID = 600;
/** Characters of the start of its stdout that are told. */
const START = 100;
const TOO_LONG = `it sent a message of more than ${MAX_SERVER_MESSAGE} bytes`;

/**
 * Opens wires to a program that the user named: each starts it anew, inside the walls that its programs have.
 *
 * @param options `requireSame` throws if it may not start any more; `warn` hears what must be known of its start, `onEnd`
 * of each program that ended or did not start
 */
export function programWire(
  programs: NarrowPrograms,
  spec: ProgramSpec,
  { requireSame = async () => {}, warn, onEnd }: {
    requireSame?(): Promise<void>;
    warn(message: string): void;
    onEnd(life: ServerLife): void;
  },
): OpenWire {
  return async ({ signal }) => {
    const analyses: CommandAnalysis[] = [];
    const life = { argv: spec.argv, time: new Date(), analyses, program: null, error: null, connections: [] };
    try {
      await requireSame();
      const program = await programs.pipe(spec, {
        ...{ signal, isNamed: true },
        onAnalysis: (analysis) => void analyses.push(analysis),
      });
      program.warnings.forEach(warn);
      return new ProgramWire(program, (told) => onEnd({ ...life, ...told }));
    } catch (error) {
      onEnd({ ...life, error: toToolError(error) });
      throw error;
    }
  };
}

class ProgramWire implements McpWire {
  readonly messages: AsyncIterable<Uint8Array<ArrayBuffer>>;
  readonly ended: Promise<WireEnd>;
  readonly #program: PipedProgram;
  /** Settles once its end was told. */
  readonly #told: Promise<void>;
  readonly #end = Promise.withResolvers<WireEnd>();
  #written: Promise<void> = Promise.resolve();
  #unread = 0;
  /** Why it is ended from here. */
  #why: string | null = null;
  /** The start of what came on stdout, and how much came. */
  #start = "";
  #bytes = 0;

  constructor(program: PipedProgram, onEnd: (told: Pick<ServerLife, "program" | "connections">) => void) {
    this.#program = program;
    this.#told = program.ended.then(async () =>
      onEnd({ program: program.audited(), connections: await program.connections().catch(() => []) })
    );
    this.ended = this.#end.promise;
    this.messages = this.#read();
  }

  send(message: string): void {
    const bytes = new TextEncoder().encode(`${message}\n`);
    this.#unread += bytes.length;
    if (this.#unread > MAX_UNREAD) return this.#giveUp("it does not read what it is sent");
    // Lines must not mix. A server that reads no more has ended, or will be given up.
    this.#written = this.#written.then(() => this.#program.write(bytes)).catch(() => {})
      .then(() => void (this.#unread -= bytes.length));
  }

  noise(): string {
    const said = lastLines(this.#program.stderr);
    const start = this.#start.trimStart();
    return [
      ...start === "" || start.startsWith("{") ? [] : [
        `it printed ${plural(this.#bytes, "byte")} on stdout that begin with "${onOneLine(start.trimEnd())}"`,
      ],
      ...said === "" ? [] : [`it said: ${said}`],
    ].join("; ");
  }

  connections(): Promise<readonly Connection[]> {
    return this.#program.connections();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#program.close({ graceMs: CLOSING_MS });
    await this.#told;
  }

  async *#read(): AsyncGenerator<Uint8Array<ArrayBuffer>> {
    try {
      yield* cutLines(this.#heard(this.#program.stdout), { onTooLong: () => this.#giveUp(TOO_LONG) });
    } finally {
      // One that closes its output can say nothing more.
      const end = await this.#program.close();
      this.#end.resolve({ why: this.#why ?? whyOf(end), said: lastLines(this.#program.stderr) });
    }
  }

  async *#heard(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunks) {
      this.#bytes += chunk.length;
      if (this.#start.length < START) {
        this.#start += new TextDecoder().decode(chunk.subarray(0, START)).slice(
          0,
          START - this.#start.length,
        );
      }
      yield chunk;
    }
  }

  #giveUp(why: string): void {
    this.#why ??= why;
    void this.#program.close({ graceMs: 0 });
  }
}

function whyOf({ exitCode, reason }: PipedEnd): string {
  return reason === "exited"
    ? `it ended with code ${exitCode}`
    : `it was ended (${reason}, code ${exitCode})`;
}

function lastLines(stderr: string): string {
  const text = stderr.trim();
  const end = text.length > SAID ? `…${text.slice(-SAID)}` : text;
  return onOneLine(end);
}
