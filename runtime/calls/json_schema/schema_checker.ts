import { ToolError } from "../../../schemas/error.ts";
import type { JsonSchema } from "../../../schemas/manifest.ts";
import { findExcess, type JsonBounds } from "./find_excess.ts";
import type { KnownDocuments, SchemaAnswer, SchemaJob, SchemaProblem } from "./protocol.ts";
import { type SchemaAsk, SchemaWorker } from "./schema_worker.ts";

export type { KnownDocuments, SchemaProblem } from "./protocol.ts";

/** How a schema is taken. */
export interface SchemaOptions {
  /** What errors call it: `input of mcp_files_read`. */
  name: string;
  /** Other schemas by their addresses, which it may refer to. @default none; the drafts themselves are known */
  documents?: KnownDocuments;
  /** Checks every known `format`; otherwise drafts 2019-09 and 2020-12 take it for a remark. @default true */
  assertFormats?: boolean;
}

/** What is wrong with a value. */
export interface SchemaVerdict {
  /** The first problems; empty if the value fits. */
  problems: readonly SchemaProblem[];
  /** How many more there are. */
  left: number;
}

/** A schema that was taken. Give it back with `using`, or leave it to its checker. */
export interface TakenSchema extends Disposable {
  readonly schema: JsonSchema | boolean;
  readonly name: string;
  /**
   * Says what is wrong with a value.
   *
   * @throws {ToolError} `invalid_input` for a value that is no JSON or too large, `timeout` for a check that does not
   * end
   */
  check(value: unknown): Promise<SchemaVerdict>;
}

/** Limits of a checker. */
export interface CheckerLimits {
  /** Longest time of a check, and of taking a schema, in milliseconds. @default 5000 */
  checkMs?: number;
}

/** A schema with more than this is refused. */
const SCHEMA_BOUNDS: JsonBounds = { depth: 200, values: 100_000, characters: 4_000_000 };

/** A value with more than this is not checked. */
const VALUE_BOUNDS: JsonBounds = { depth: 1_000, values: 2_000_000, characters: 256_000_000 };

/** If so many checks of different schemas did not end, others are not begun. */
const MAX_ENDLESS = 3;

/**
 * Checks values against JSON Schemas of strangers, drafts 4 to 2020-12, all in one worker without permissions. The worker
 * starts with the first schema, and stays. Nothing is fetched. Close it with `using`.
 */
export class SchemaChecker implements Disposable {
  readonly #checkMs: number;
  /** Schemas whose check never ended. */
  readonly #endless = new Set<number>();
  #worker: SchemaWorker | undefined;
  #line: Promise<unknown> = Promise.resolve();
  #ids = 0;
  #isClosed = false;

  constructor({ checkMs = 5_000 }: CheckerLimits = {}) {
    this.#checkMs = checkMs;
  }

  /** Starts the worker before the first schema needs it. Needs `read` of the program's own files. */
  start(): void {
    this.#worker ??= new SchemaWorker();
  }

  /**
   * Takes a schema: all that is wrong with the schema itself shows here.
   *
   * @throws {ToolError} `invalid_input` for a schema that cannot be used, with the place in it
   */
  async take(schema: JsonSchema | boolean, options: SchemaOptions): Promise<TakenSchema> {
    const { name, documents = {}, assertFormats = true } = options;
    const refuse = ({ pointer, message }: SchemaProblem) =>
      new ToolError("invalid_input", `Cannot use the schema "${name}": ${pointer}: ${message}`, {
        details: { schema: name, pointer },
      });
    const excess = findExcess(schema, SCHEMA_BOUNDS) ?? findExcess(documents, SCHEMA_BOUNDS);
    if (excess !== null) throw refuse(excess);
    const job: SchemaJob = { id: ++this.#ids, schema, documents, assertFormats };
    const failure = await this.#inLine(() => this.#take(job));
    if (failure !== null) throw refuse(failure);
    return {
      schema,
      name,
      check: (value) => this.#inLine(() => this.#check(job, value, name)),
      [Symbol.dispose]: () => void this.#inLine(() => this.#forget(job)).catch(() => {}),
    };
  }

  [Symbol.dispose](): void {
    this.#isClosed = true;
    this.#worker?.[Symbol.dispose]();
    this.#worker = undefined;
  }

  /** A question after the other: so the time of each one is its own. */
  #inLine<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#line.then(work);
    this.#line = done.catch(() => {});
    return done;
  }

  /** Returns why the schema cannot be used, `null` if it can. */
  async #take(job: SchemaJob): Promise<SchemaProblem | null> {
    const answer = await this.#ask({ take: job });
    if (answer === null) {
      return { pointer: "#", message: `understanding it takes longer than ${this.#checkMs} ms` };
    }
    if ("failure" in answer) return answer.failure;
    this.#worker?.taken.add(job.id);
    return null;
  }

  async #check(job: SchemaJob, value: unknown, name: string): Promise<SchemaVerdict> {
    const excess = findExcess(value, VALUE_BOUNDS);
    if (excess !== null) {
      throw new ToolError("invalid_input", `Cannot check the ${name}: ${excess.pointer}: ${excess.message}`);
    }
    this.#refuseEndless(job, name);
    const lost = this.#worker?.taken.has(job.id) ? null : await this.#take(job);
    if (lost !== null) throw new ToolError("unavailable", `Cannot check the ${name}: ${lost.message}`);
    const answer = await this.#ask({ check: job.id, value });
    if (answer === null) {
      this.#endless.add(job.id);
      throw new ToolError("timeout", `Cannot check the ${name}: it took longer than ${this.#checkMs} ms`);
    }
    if ("failure" in answer) {
      throw new ToolError("unavailable", `Cannot check the ${name}: ${answer.failure.message}`);
    }
    return { problems: answer.problems, left: answer.left };
  }

  #refuseEndless(job: SchemaJob, name: string): void {
    const why = this.#endless.has(job.id)
      ? "an earlier check against its schema did not end"
      : this.#endless.size >= MAX_ENDLESS
      ? "too many checks against other schemas did not end"
      : null;
    if (why !== null) throw new ToolError("timeout", `Cannot check the ${name}: ${why}; leave that tool out`);
  }

  async #forget(job: SchemaJob): Promise<void> {
    if (this.#worker?.taken.delete(job.id)) await this.#ask({ forget: job.id });
  }

  /** A worker that does not answer is replaced with the next question; what it held is given to the next one. */
  async #ask(question: SchemaAsk): Promise<SchemaAnswer | null> {
    if (this.#isClosed) throw new ToolError("cancelled", "The run is over: nothing is checked any more");
    const worker = this.#worker ??= new SchemaWorker();
    const answer = await worker.ask(question, this.#checkMs);
    if (answer !== null || this.#isClosed) return answer;
    worker[Symbol.dispose]();
    this.#worker = undefined;
    return null;
  }
}
