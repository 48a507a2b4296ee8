import { isObject } from "../../../schemas/json/shape.ts";

/** A client of one server over its pipes, which does nothing but wait for its answers. */
export class McpClient {
  readonly #child: Deno.ChildProcess;
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;
  readonly #reader: ReadableStreamDefaultReader<string>;
  readonly #started = performance.now();
  #rest = "";
  #asked = 0;

  constructor(argv: readonly string[]) {
    this.#child = new Deno.Command(argv[0]!, {
      args: argv.slice(1),
      stdin: "piped",
      stdout: "piped",
      stderr: "null",
    }).spawn();
    this.#writer = this.#child.stdin.getWriter();
    this.#reader = this.#child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  }

  get pid(): number {
    return this.#child.pid;
  }

  /** Opens the session; returns how long that took since the start of the server, in milliseconds. */
  async connect(): Promise<number> {
    const clientInfo = { name: "bench", version: "1" };
    await this.#ask("initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo });
    const ms = performance.now() - this.#started;
    await this.#send({ jsonrpc: "2.0", method: "notifications/initialized" });
    return ms;
  }

  /** Calls a tool; returns the milliseconds. */
  async call(name: string, input: unknown): Promise<number> {
    const started = performance.now();
    const result = await this.#ask("tools/call", { name, arguments: input });
    const ms = performance.now() - started;
    if (!isObject(result) || result.isError === true) {
      throw new Error(`${name} failed: ${JSON.stringify(result)}`);
    }
    return ms;
  }

  async close(): Promise<void> {
    await this.#writer.close();
    await this.#reader.cancel();
    await this.#child.status;
  }

  async #ask(method: string, params: unknown): Promise<unknown> {
    const id = ++this.#asked;
    await this.#send({ jsonrpc: "2.0", id, method, params });
    for (;;) {
      const message: unknown = JSON.parse(await this.#line());
      if (isObject(message) && message.id === id) return message.result;
    }
  }

  async #send(message: unknown): Promise<void> {
    await this.#writer.write(new TextEncoder().encode(`${JSON.stringify(message)}\n`));
  }

  async #line(): Promise<string> {
    for (;;) {
      const end = this.#rest.indexOf("\n");
      if (end >= 0) {
        const line = this.#rest.slice(0, end);
        this.#rest = this.#rest.slice(end + 1);
        return line;
      }
      const { value, done } = await this.#reader.read();
      if (done) throw new Error("the server ended");
      this.#rest += value;
    }
  }
}
