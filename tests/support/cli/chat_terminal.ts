// @ts-types="@xterm/headless"
import { Terminal } from "@xterm/headless/lib-headless/xterm-headless.mjs";

import { shellQuote } from "../../../runtime/text/shell_quote.ts";
import type { ScriptedModel } from "../scripted_model.ts";
import { program } from "../program.ts";
import { denoDir } from "../deno_dir.ts";
import type { Scene } from "./scene.ts";

/** Longest wait for something on the screen, in milliseconds. */
const PATIENCE_MS = 40_000;
/** Rows that have left the screen and can still be seen. */
const SCROLLED = 1_000;

export interface ChatStart {
  model: ScriptedModel | null;
  cols?: number;
  rows?: number;
  /** Words of the command line that follows in the same terminal. @default none follows */
  then?: readonly string[];
  env?: Readonly<Record<string, string>>;
}

/** The program at a terminal of which a test sees the screen and presses the keys. */
export class ChatTerminal implements AsyncDisposable {
  readonly #child: Deno.ChildProcess;
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;
  readonly #screen: Terminal;
  /** File with the name of the terminal. */
  readonly #tty: string;
  readonly #over: Promise<unknown>;
  #changed = Promise.withResolvers<void>();
  #isOver = false;
  #written = "";

  private constructor(child: Deno.ChildProcess, screen: Terminal, tty: string) {
    this.#child = child;
    this.#tty = tty;
    this.#writer = child.stdin.getWriter();
    this.#screen = screen;
    this.#over = this.#listen();
  }

  /** Starts `chat`, or other words of a command line; the terminal's modes stand on the screen after its end. */
  static open(scene: Scene, words: readonly string[], options: ChatStart): ChatTerminal {
    const { model, cols = 100, rows = 40, then, env = {} } = options;
    const forModel = model === null ? [] : ["--model=test-model", `--base-url=${model.url}`];
    const lines = [words, ...then ? [then] : []]
      .map((line) => [...program(), ...line, ...forModel].map(shellQuote).join(" "));
    // A shell ends itself after a child that took the same Ctrl-C.
    const line =
      `trap : INT; stty rows ${rows} cols ${cols}; tty > ${shellQuote(scene.at("tty"))}; ${
        lines.join("; ")
      }; ` +
      "echo ended $?; stty -a | tr ' ' '\\n' | grep -xE -e '-?(icanon|echo|isig)' | tr '\\n' ' '; echo .";
    const child = new Deno.Command("script", {
      args: ["-qefc", line, "/dev/null"],
      cwd: scene.ws,
      clearEnv: true,
      env: {
        ...{ PATH: Deno.env.get("PATH") ?? "", SHELL: "/bin/sh", TERM: "xterm", LANG: "C.UTF-8" },
        ...{ INIT_CWD: scene.ws, HOME: scene.at("home"), XDG_STATE_HOME: scene.at("state") },
        ...{ DENO_DIR: denoDir(), ...env },
      },
      stdin: "piped",
      stdout: "piped",
    }).spawn();
    const screen = new Terminal({ cols, rows, scrollback: SCROLLED, allowProposedApi: true });
    return new ChatTerminal(child, screen, scene.at("tty"));
  }

  get pid(): number {
    return this.#child.pid;
  }

  /** All that can be seen, with what has left the screen above. */
  get text(): string {
    const { active } = this.#screen.buffer;
    const lines: string[] = [];
    for (let y = 0; y < active.length; y++) {
      const line = active.getLine(y);
      const text = line?.translateToString(true) ?? "";
      if (line?.isWrapped) lines[lines.length - 1] += text;
      else lines.push(text);
    }
    return lines.join("\n").trimEnd();
  }

  get written(): string {
    return this.#written;
  }

  get cursor(): { x: number; y: number } {
    const { cursorX: x, cursorY: y } = this.#screen.buffer.active;
    return { x, y };
  }

  async type(keys: string): Promise<void> {
    await this.#writer.write(new TextEncoder().encode(keys));
  }

  /** Waits until what is seen is so, and returns it. */
  async see(wanted: string | RegExp | ((text: string) => boolean)): Promise<string> {
    const isSo = typeof wanted === "function"
      ? wanted
      : (text: string) => typeof wanted === "string" ? text.includes(wanted) : wanted.test(text);
    const { promise: late, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(
      () => reject(new Error(`did not come: ${wanted}, but:\n${this.text}`)),
      PATIENCE_MS,
    );
    try {
      for (;;) {
        const changed = this.#changed.promise;
        if (isSo(this.text)) return this.text;
        if (this.#isOver) throw new Error(`ended without: ${wanted}, but:\n${this.text}`);
        await Promise.race([changed, late]);
      }
    } finally {
      clearTimeout(timer);
    }
  }

  async prompt(after = ""): Promise<string> {
    return await this.see((text) => text.includes(after) && text.endsWith("\n>"));
  }

  /** Types at the prompt, and waits for an empty one below what must come. */
  async say(text: string, answer: string): Promise<string> {
    const before = this.text.length;
    await this.type(`${text}\r`);
    return await this.see((now) => now.slice(before - 1).includes(answer) && now.endsWith("\n>"));
  }

  async resize(cols: number, rows: number): Promise<void> {
    this.#screen.resize(cols, rows);
    const args = ["-F", Deno.readTextFileSync(this.#tty).trim(), "cols", `${cols}`, "rows", `${rows}`];
    await new Deno.Command("stty", { args }).output();
  }

  /** Waits for the end of the program and returns its code; its terminal must be as it was. */
  async ended(): Promise<{ code: number; modes: string }> {
    const text = await this.see(/ended \d+\n.*\.$/);
    const [, code = "", modes = ""] = /ended (\d+)\n(.*) \.$/.exec(text) ?? [];
    return { code: Number(code), modes };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#isOver) {
      try {
        this.#child.kill("SIGKILL");
      } catch (error) {
        if (!(error instanceof TypeError)) throw error;
      }
    }
    await this.#over;
    await this.#child.status;
    await this.#writer.close().catch(() => {});
    this.#screen.dispose();
  }

  async #listen(): Promise<void> {
    const decoder = new TextDecoder();
    for await (const bytes of this.#child.stdout) {
      this.#written += decoder.decode(bytes, { stream: true });
      await new Promise<void>((resolve) => this.#screen.write(bytes, resolve));
      this.#tell();
    }
    this.#isOver = true;
    this.#tell();
  }

  #tell(): void {
    const { resolve } = this.#changed;
    this.#changed = Promise.withResolvers();
    resolve();
  }
}

/** What a terminal has before and after. */
export const USUAL_MODES = "isig icanon echo";
