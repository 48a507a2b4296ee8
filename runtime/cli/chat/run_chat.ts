import { resolve } from "@std/path";

import { ToolError } from "../../../schemas/error.ts";
import { findSession, newSessionId, tracePath } from "../../state/sessions/session_folder.ts";
import { readTrace } from "../../state/sessions/trace_file.ts";
import { listRecords } from "../../state/undo/undo_store.ts";
import { quoteWord } from "../../text/shell_quote.ts";
import { onOneLine, onTerminal } from "../../text/strip_controls.ts";
import { exists, realOrNull } from "../../walls/files/file_facts.ts";
import { namedFileError } from "../../walls/files/system_error.ts";
import type { CommandName } from "../args/command_table.ts";
import { optionsOf } from "../args/command_table.ts";
import type { OptionName, Options } from "../args/options/option_table.ts";
import { IN_CHAT } from "../io/in_chat.ts";
import { type Io, printError, userFolder } from "../io/io.ts";
import { optionWords } from "../setup/option_words.ts";
import { type ChatCommand, chatHelp, readLine } from "./chat_commands.ts";
import { addOptions, optionsNow, readGrants } from "./chat_options.ts";
import type { LineEditor } from "./line_editor.ts";
import { makeEditor } from "./make_editor.ts";
import { openQuestions } from "./open_questions.ts";
import { renderChat } from "./render_chat.ts";
import { findSelfInFront, type SelfEnded, type SelfInFront } from "./self_in_front.ts";

/** Longest prompt, in bytes: it is a word of a command line. */
const MAX_PROMPT_BYTES = 120_000;
/** Options that say which session a turn belongs to, or that hold for the first turn alone. */
const OF_CHAT: readonly OptionName[] = ["chat", "resume", "session", "image", "help", "version"];
/** What the model is told with the next prompt. */
const UNDONE =
  "[I have taken back changes of files with undo: look at the files again before you rely on them.]";

/** Talks with a person until they end it; returns the exit code. */
export async function runChat(
  first: string | null,
  options: Options,
  { io, state }: ChatPlace,
): Promise<number> {
  const chat = await Chat.open(options, { io, state });
  return await chat.run(first);
}

/** Where a chat is. */
export interface ChatPlace {
  io: Io;
  /** Where bulkhead keeps what outlives a run. */
  state: string;
}

/**
 * A conversation at a terminal, in one session. Each turn is a run of this program that goes on with the session, so that all is
 * as in any other run.
 */
class Chat {
  readonly #place: ChatPlace;
  #id: string;
  readonly #self: SelfInFront;
  readonly #editor: LineEditor;
  #options: Options;
  /** What the next prompt is to tell besides. */
  #remark = "";
  /** The options of the turn before. */
  #said: string | null = null;

  private constructor(
    place: ChatPlace,
    { id, self, options }: { id: string; self: SelfInFront; options: Options },
  ) {
    this.#place = place;
    this.#id = id;
    this.#self = self;
    this.#options = options;
    this.#editor = makeEditor(place, options, (message) => this.#tell(message));
  }

  static async open(options: Options, place: ChatPlace): Promise<Chat> {
    const { io, state } = place;
    const { resume, session } = options;
    const folder = resolve(userFolder(io), options.workspace ?? ".");
    const wanted = resume === true ? session ?? null : resume ?? null;
    const id = resume === undefined
      ? session ?? newSessionId(new Date())
      : await findSession(state, { id: wanted, workspace: realOrNull(folder) ?? folder });
    const self = await findSelfInFront(io);
    return new Chat(place, { id, self, options });
  }

  async run(first: string | null): Promise<number> {
    const { interrupt } = this.#place.io;
    await this.#greet();
    if (first !== null) await this.#turn(first);
    let isWarned = false;
    while (!interrupt.aborted) {
      const entry = await this.#editor.read(interrupt);
      if (entry.kind === "end" || (entry.kind === "interrupt" && isWarned)) break;
      isWarned = entry.kind === "interrupt";
      // It may have been meant for a turn that has just ended.
      if (entry.kind === "interrupt") await this.#tell("Ctrl-C again, Ctrl-D or /quit ends the chat");
      else if (entry.kind === "suspend") Deno.kill(Deno.pid, "SIGTSTP");
      else if (!await this.#take(entry.text)) break;
    }
    await this.#sayGoodbye();
    return 0;
  }

  /** Does what was typed; returns false at the end of the chat. */
  async #take(text: string): Promise<boolean> {
    const typed = readLine(text);
    try {
      if (typed.kind === "mistake") await this.#tell(typed.message);
      if (typed.kind === "prompt") await this.#turn(typed.text);
      return typed.kind !== "command" || await this.#command(typed.name, typed);
    } catch (error) {
      // What was typed could not be done; the chat goes on.
      if (!(error instanceof ToolError)) throw error;
      await this.#tell(error.message);
      return true;
    }
  }

  async #command(name: ChatCommand, { words, rest }: { words: string[]; rest: string }): Promise<boolean> {
    switch (name) {
      case "help":
        await printError(this.#place.io, chatHelp(this.#place.io.stderrWidth() ?? 80));
        return true;
      case "tools":
        await this.#show("tools", words.length > 0 ? words : ["--offered"]);
        return true;
      case "grants":
        await this.#grants(words);
        return true;
      case "model":
        await this.#model(rest.trim());
        return true;
      case "agent":
        await this.#agent(rest.trim());
        return true;
      case "undo":
        await this.#undo(words);
        return true;
      case "diff":
        await this.#self.run(this.#options.overlay ? ["diff", this.#id] : ["undo", this.#id, "--dry-run"]);
        return true;
      case "clear":
        return await this.#clear();
      case "save":
        await this.#save(words);
        return true;
      case "quit":
        return false;
    }
  }

  /** One turn is one run of the session. */
  async #turn(typed: string): Promise<void> {
    const prompt = `${this.#remark}${typed}`;
    const bytes = new TextEncoder().encode(prompt).length;
    if (bytes > MAX_PROMPT_BYTES) {
      const message = `A prompt has at most ${MAX_PROMPT_BYTES} bytes here, and this one has ${bytes}`;
      throw new ToolError("limit_exceeded", `${message}: put it into a file, and write @FILE`);
    }
    const names = optionsOf("run").filter((option) => !OF_CHAT.includes(option) || option === "image");
    const words = optionWords(this.#options, names);
    const inChat = words.join("\0") === this.#said ? "same" : "new";
    this.#said = words.join("\0");
    const ended = await this.#self.run([
      ...["run", ...words],
      this.#isBegun ? `--resume=${this.#id}` : `--session=${this.#id}`,
      // A single - would mean stdin.
      ...["--", prompt === "-" ? " -" : prompt],
    ], { [IN_CHAT]: inChat });
    if (ended.signal !== null) {
      // What it was writing may have no end.
      await printError(this.#place.io, "\n");
      await this.#tell(`the turn was ended by ${ended.signal}; the next one goes on after it`);
    }
    if (!this.#isBegun) return;
    this.#remark = "";
    delete this.#options.image;
  }

  /** Runs a command of this program that shows what holds for the next turn. */
  async #show(command: CommandName, words: readonly string[]): Promise<SelfEnded> {
    const lines = this.#isBegun ? await readTrace(this.#trace) : [];
    const options = optionsNow(lines.findLast((line) => line.t === "run"), this.#options);
    const hasNames = words.some((word) => !word.startsWith("-"));
    const names = optionsOf(command).filter((name) =>
      !["help", "version", "json"].includes(name) && !(hasNames && CHOICES.includes(name))
    );
    return await this.#self.run([command, ...optionWords(options, names), ...words]);
  }

  async #grants(words: readonly string[]): Promise<void> {
    this.#options = addOptions(this.#options, readGrants(words, this.#place.io.env("HOME")));
    await this.#show("explain", []);
  }

  async #model(name: string): Promise<void> {
    if (name !== "") {
      this.#options = { ...this.#options, model: name };
      return await this.#tell(`the next turn goes to ${onOneLine(name)}`);
    }
    const lines = this.#isBegun ? await readTrace(this.#trace) : [];
    const last = lines.findLast((line) => line.t === "run")?.model;
    const model = this.#options.model ?? last ?? this.#place.io.env("OPENAI_MODEL");
    await this.#tell(model === undefined ? "no model is named: /model NAME names one" : onOneLine(model));
  }

  async #agent(name: string): Promise<void> {
    const { code } = await this.#show("agents", name === "" ? [] : [name]);
    if (name === "" || code !== 0) return;
    this.#options = { ...this.#options, agent: name };
    await this.#tell(`the next turn goes to the agent ${onOneLine(name)}`);
  }

  async #undo(words: readonly string[]): Promise<void> {
    const [all, ...more] = words;
    if (more.length > 0 || (all !== undefined && all !== "all")) {
      throw new ToolError("invalid_input", "Write /undo, or /undo all for all turns of this session");
    }
    const before = this.#undoable();
    await this.#self.run(["undo", this.#id, ...all === undefined ? ["--last"] : []]);
    // The person may have said no.
    if (this.#undoable() < before) this.#remark = `${UNDONE}\n\n`;
  }

  /** What holds for the next turn stays, and so does the old session. */
  async #clear(): Promise<true> {
    const [old, wasBegun] = [this.#id, this.#isBegun];
    this.#id = newSessionId(new Date());
    [this.#remark, this.#said] = ["", null];
    if (wasBegun) await this.#tell(`a new session begins; the one before is bulkhead chat --resume ${old}`);
    return true;
  }

  async #save(words: readonly string[]): Promise<void> {
    const [file = `chat-${this.#id}.md`, ...more] = words;
    if (more.length > 0) {
      throw new ToolError("invalid_input", "Write /save FILE: a name with blanks in quotes");
    }
    if (!this.#isBegun) throw new ToolError("invalid_input", "There is nothing to save yet");
    const text = renderChat(this.#id, await readTrace(this.#trace));
    const path = resolve(userFolder(this.#place.io), file);
    try {
      await Deno.writeTextFile(path, text, { createNew: true });
    } catch (error) {
      throw namedFileError(error, "write", path);
    }
    await this.#tell(`saved in ${onOneLine(path)}`);
  }

  /** How many runs of the session can be undone. */
  #undoable(): number {
    const records = listRecords(this.#place.state);
    return records.filter(({ head, isUndone }) => head.session === this.#id && !isUndone).length;
  }

  get #trace(): string {
    return tracePath(this.#place.state, this.#id);
  }

  /** The session is there: a first turn that could not start leaves none. */
  get #isBegun(): boolean {
    return exists(this.#trace);
  }

  async #greet(): Promise<void> {
    if (this.#options.quiet) return;
    await this.#tell("/help lists what can be typed; Ctrl-D ends the chat");
    if (this.#options.resume === undefined) return;
    await this.#tell(`going on with session ${this.#id}`);
    const questions = this.#isBegun ? openQuestions(await readTrace(this.#trace)) : [];
    if (questions.length === 0) return;
    await this.#tell(
      `it waits for your answer:\n${questions.map((question) => `  ${question}\n`).join("")}`.trimEnd(),
    );
  }

  async #sayGoodbye(): Promise<void> {
    if (!this.#isBegun || this.#options.quiet) return;
    const { workspace } = this.#options;
    const place = workspace === undefined ? "" : ` -C ${quoteWord(workspace)}`;
    await printError(this.#place.io, `go on   bulkhead chat --resume ${this.#id}${place}\n`);
  }

  async #tell(message: string): Promise<void> {
    await printError(this.#place.io, `bulkhead: ${onTerminal(message)}\n`);
  }
}

const CHOICES: readonly OptionName[] = ["toolset", "tool", "extraTool"];
