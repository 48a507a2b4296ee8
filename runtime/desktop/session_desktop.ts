import type { DesktopAction, DesktopAnswer } from "../../schemas/desktop/desktop.ts";
import { ToolError } from "../../schemas/error.ts";
import type { NarrowPrograms } from "../programs/narrow/narrow_programs.ts";
import type { PipedProgram } from "../programs/narrow/piped_program.ts";
import type { ProgramCall } from "../programs/process/program_host.ts";
import { untilAborted } from "../wait/until_aborted.ts";
import { beforeDisplay, DESKTOP_VARIABLES, displayWords } from "./desktop_words.ts";
import { type DisplayLink, openDisplay } from "./display_link.ts";
import type { UserDisplay } from "./user_display.ts";
import type { FoundDesktop, MenuEntry } from "./find_desktop.ts";

/** The call that uses the desktop. */
export type DesktopCall = Pick<ProgramCall, "signal" | "onProgram" | "onConnections" | "onEvent" | "warn">;

/** What the desktop of a session is made of. */
export interface SessionDesktopParts {
  found: FoundDesktop;
  /** What its menu offers. */
  menu: readonly MenuEntry[];
  /** Words of a program that is started with it. @default none is */
  start?: readonly string[];
  /** Programs that are granted what those on the desktop may touch. */
  programs: NarrowPrograms;
  /** Whether programs run in a sandbox. */
  isBoxed(): Promise<boolean>;
  /** The user's own display, which takes the place of all that. @default it is not used */
  own?: Promise<UserDisplay>;
  /** A desktop that no call uses for so long is ended, in milliseconds. @default half an hour */
  maxIdleMs?: number;
}

const MAX_IDLE_MS = 30 * 60_000;
/** How long an action may take to end by itself once its call has ended, in milliseconds; then the desktop is ended. */
const ENDING_MS = 2_000;

interface Running {
  link: DisplayLink;
  /** `null` for the user's own display. */
  program: PipedProgram | null;
  /** A call has noted it for the audit. */
  isAudited: boolean;
  /** A call was told that it was started. */
  isTold: boolean;
}

/** The one desktop of a session: it starts with the first action, and ends when no call uses it for long. */
export class SessionDesktop {
  readonly #parts: SessionDesktopParts;
  #running: Running | null = null;
  #turn: Promise<unknown> = Promise.resolve();
  #idle: ReturnType<typeof setTimeout> | undefined;
  /** A desktop of this session has ended, and its programs are gone. */
  #hasLost = false;
  #hasEnded = false;
  readonly #ending = new AbortController();

  constructor(parts: SessionDesktopParts) {
    this.#parts = parts;
  }

  /** Does an action, after all that were asked for before. Throws what `Desktop.act` throws. */
  act(action: DesktopAction, { call }: { call: DesktopCall }): Promise<DesktopAnswer> {
    const own = this.#turn.then(() => this.#act(action, call));
    this.#turn = own.catch(() => {});
    return own;
  }

  /** Ends the desktop; none can be started any more. */
  async end(): Promise<void> {
    this.#hasEnded = true;
    this.#ending.abort();
    await this.#stop();
    await this.#turn;
    await this.#stop();
  }

  async #act(action: DesktopAction, call: DesktopCall): Promise<DesktopAnswer> {
    if (call.signal.aborted) throw call.signal.reason;
    clearTimeout(this.#idle);
    const running = await this.#start(call);
    try {
      const { link } = running;
      const end = () => link[Symbol.asyncDispose]();
      const work = link.act(action, call.signal);
      const answer = await untilAborted(work, { signal: call.signal, endingMs: ENDING_MS, end });
      const started = running.isTold ? [] : [this.#startText()];
      running.isTold = true;
      this.#hasLost = false;
      return { ...answer, happened: [...started, ...answer.happened] };
    } finally {
      const { program } = running;
      if (program !== null) call.onConnections?.(await program.connections());
      if (program !== null && !running.isAudited) call.onProgram(program.audited());
      running.isAudited = true;
      if (running.link.end !== null) await this.#stop();
      else this.#expectUse();
    }
  }

  async #start(call: DesktopCall): Promise<Running> {
    if (this.#hasEnded) throw new ToolError("cancelled", "The run is over");
    if (this.#running !== null && this.#running.link.end === null) return this.#running;
    await this.#stop();
    const { found, menu, start = [], programs, isBoxed, own } = this.#parts;
    if (own !== undefined) {
      const { connection, greeting } = await own;
      const link = await openDisplay(connection, greeting);
      return this.#running = { link, program: null, isAudited: false, isTold: false };
    }
    if (found.programs === null) throw noDesktop(found.missing);
    if (!await isBoxed()) throw noSandbox();
    const program = await programs.pipe({ argv: displayWords(found.programs), env: DESKTOP_VARIABLES }, {
      isNamed: true,
      before: beforeDisplay(found.programs, { menu, start }),
      signal: this.#ending.signal,
      ...(call.onEvent && { onEvent: call.onEvent }),
    });
    for (const warning of program.warnings) call.warn(warning);
    if (call.signal.aborted || this.#ending.signal.aborted) {
      await program.close({ graceMs: 0 });
      throw call.signal.aborted ? call.signal.reason : new ToolError("cancelled", "The run is over");
    }
    const link = await openDisplay(program, { isNew: true });
    return this.#running = { link, program, isAudited: false, isTold: false };
  }

  #startText(): string {
    if (this.#parts.own !== undefined) return "This is the user's own screen: what you do there is real";
    const lost = this.#hasLost ? " anew, and the programs of the earlier one are gone" : "";
    const labels = this.#parts.menu.map(({ label }) => label).join(", ");
    const menu = labels === "" ? "" : `; a click on its empty part opens a menu: ${labels}`;
    return `The desktop was started${lost}${menu}`;
  }

  #expectUse(): void {
    clearTimeout(this.#idle);
    if (this.#hasEnded || this.#parts.own !== undefined) return;
    this.#idle = setTimeout(() => void this.#stop(), this.#parts.maxIdleMs ?? MAX_IDLE_MS);
  }

  async #stop(): Promise<void> {
    clearTimeout(this.#idle);
    const running = this.#running;
    if (running === null) return;
    this.#running = null;
    this.#hasLost = true;
    await running.link[Symbol.asyncDispose]();
  }
}

function noDesktop(missing: readonly string[]): ToolError {
  return new ToolError(
    "unavailable",
    `There is no desktop: install ${missing.join(" and ")}`,
    { details: { missing } },
  );
}

function noSandbox(): ToolError {
  return new ToolError(
    "unavailable",
    "The desktop runs only in the sandbox, which holds what its programs reach: run without --sandbox off",
  );
}
