import type { BrowserAction, BrowserAnswer } from "../../schemas/browser/browser.ts";
import { ToolError } from "../../schemas/error.ts";
import type { Connection, NetRules } from "../../schemas/net.ts";
import type { NarrowPrograms } from "../programs/narrow/narrow_programs.ts";
import type { DrivenPipe } from "../programs/narrow/driven_program.ts";
import type { PipedProgram } from "../programs/narrow/piped_program.ts";
import type { ProgramCall } from "../programs/process/program_host.ts";
import { untilAborted } from "../wait/until_aborted.ts";
import { type BrowserStart, type LoopbackDoor, startBoxed, startUnboxed } from "./browser_start.ts";
import { THROUGH_PIPES } from "./chromium_words.ts";
import { type DriverLink, openDriver } from "./driver_link.ts";
import { CHROMIUM_VARIABLE } from "./find_chromium.ts";
import { USER_BROWSER_WORDS } from "./user_browser_words.ts";
import { checkAddress, checkGranted, refusedHosts, whyUnreached } from "./reached.ts";

/** The call that uses the browser. */
export type BrowserCall = Pick<ProgramCall, "signal" | "onProgram" | "onConnections" | "onEvent" | "warn">;

/** What the browser of a session is made of. */
export interface SessionBrowserParts {
  /** Path of the browser; `null` if there is none. */
  path: string | null;
  /** Programs that are granted what the browser may touch. */
  programs: NarrowPrograms;
  /** Whether programs run in a sandbox. */
  isBoxed(): Promise<boolean>;
  /** What is started without one, and a way to the gate that holds pages to what is granted to `programs`. */
  outside: { path: string | null; openDoor(): Promise<LoopbackDoor> };
  /** A connection to a browser of the user's, in the place of one that is started. @default there is none */
  user?: UserBrowser | null;
  /** Returns the server of the session's own pages, which may be opened wherever it is; `null` if none runs. @default none */
  ownPages?: (() => OwnPages | null) | undefined;
  /** A browser that no call uses for so long is ended, in milliseconds. @default ten minutes */
  maxIdleMs?: number;
}

/** A browser of the user's. */
export interface UserBrowser {
  pipe: Promise<DrivenPipe>;
  /** Which addresses may be opened in it. */
  rules: NetRules;
}

/** A server that belongs to the session. */
export interface OwnPages {
  /** Address of its pages, with a secret in it, ending with a slash. */
  url: string;
  /** Settles once it has ended. */
  ended: Promise<unknown>;
}

const MAX_IDLE_MS = 10 * 60_000;
/** How long an action may take to end by itself once its call has ended, in milliseconds; then the browser is ended. */
const ENDING_MS = 1_000;

interface Running {
  link: DriverLink;
  /** `null` for a browser of the user's. */
  own: { program: PipedProgram; start: BrowserStart } | null;
  /** Calls that were told of the program's start. */
  isAudited: boolean;
}

/** The one browser of a session: it starts with the first action, and ends when no call uses it for long. */
export class SessionBrowser {
  readonly #parts: SessionBrowserParts;
  #running: Running | null = null;
  #turn: Promise<unknown> = Promise.resolve();
  #idle: ReturnType<typeof setTimeout> | undefined;
  /** A browser of this session has ended, and its tabs are gone. */
  #hasLost = false;
  #hasEnded = false;
  readonly #ending = new AbortController();

  constructor(parts: SessionBrowserParts) {
    this.#parts = parts;
  }

  /** Does an action, after all that were asked for before. Throws what `Browser.act` throws. */
  act(
    action: BrowserAction,
    { picture, call }: { picture: boolean; call: BrowserCall },
  ): Promise<BrowserAnswer> {
    const own = this.#turn.then(() => this.#actOrRenew(action, { picture, call }));
    this.#turn = own.catch(() => {});
    return own;
  }

  /** Ends the browser; none can be started any more. */
  async end(): Promise<void> {
    this.#hasEnded = true;
    this.#ending.abort();
    await this.#stop();
    await this.#turn;
    await this.#stop();
  }

  /** A browser that had ended before, or ends meanwhile, does not keep the next one from opening a page. */
  async #actOrRenew(
    action: BrowserAction,
    given: { picture: boolean; call: BrowserCall },
  ): Promise<BrowserAnswer> {
    const before = this.#running?.link;
    try {
      return await this.#act(action, given);
    } catch (error) {
      const hasEnded = before !== undefined && before.end !== null && error === before.end;
      if (action.do !== "open" || !hasEnded || given.call.signal.aborted || this.#hasEnded) throw error;
      return await this.#act(action, given);
    }
  }

  async #act(
    action: BrowserAction,
    { picture, call }: { picture: boolean; call: BrowserCall },
  ): Promise<BrowserAnswer> {
    if (call.signal.aborted) throw call.signal.reason;
    checkAddress(action);
    if (this.#parts.user) checkGranted(action, this.#parts.user.rules);
    clearTimeout(this.#idle);
    const running = await this.#start(call);
    const wasLost = this.#hasLost;
    let connections: readonly Connection[] = [];
    try {
      await this.#admitOwn(action, running);
      const { link } = running;
      const work = link.act({ action, picture }, call.signal);
      const end = () => link[Symbol.asyncDispose]();
      const answer = await untilAborted(work, { signal: call.signal, endingMs: ENDING_MS, end });
      connections = await connectionsOf(running);
      requireReached(action, connections);
      const lost = wasLost ? ["The browser was started anew: the tabs that were open are gone"] : [];
      if (running.own === null && !running.isAudited) lost.push(`This is ${USER_BROWSER_WORDS}`);
      this.#hasLost = false;
      return { ...answer, happened: [...lost, ...answer.happened, ...refusedHosts(connections)] };
    } catch (error) {
      if (connections.length > 0) throw error;
      connections = await connectionsOf(running);
      requireReached(action, connections);
      throw error;
    } finally {
      call.onConnections?.(connections);
      this.#audit(running, call);
      if (running.link.end !== null) await this.#stop();
      else this.#expectUse();
    }
  }

  /** Who knows the secret of a page may open it; the browser then reaches this server, and no other of this machine. */
  async #admitOwn(action: BrowserAction, running: Running): Promise<void> {
    const own = action.do === "open" ? this.#parts.ownPages?.() ?? null : null;
    if (own === null || action.do !== "open" || !action.url.startsWith(own.url)) return;
    await running.own?.program.admit(new URL(own.url).host, { until: own.ended });
  }

  async #start(call: BrowserCall): Promise<Running> {
    if (this.#hasEnded) throw new ToolError("cancelled", "The run is over");
    if (this.#running !== null && this.#running.link.end === null) return this.#running;
    await this.#stop();
    const { path, isBoxed, outside, user = null } = this.#parts;
    if (user !== null) {
      const pipe = await user.pipe;
      const link = await openDriver(() => Promise.resolve(pipe), { downloads: null });
      return this.#running = { link, own: null, isAudited: false };
    }
    if (path === null || outside.path === null) throw noChromium();
    const start = await isBoxed() ? startBoxed(path) : await startUnboxed(outside.path, outside.openDoor);
    try {
      let program: PipedProgram | undefined;
      const link = await openDriver(async () => program = await this.#pipe(start, call), start);
      return this.#running = { link, own: { program: program!, start }, isAudited: false };
    } catch (error) {
      await start.end();
      throw error;
    }
  }

  async #pipe({ argv, env, folder, warnings }: BrowserStart, call: BrowserCall): Promise<PipedProgram> {
    const signal = AbortSignal.any([call.signal, this.#ending.signal]);
    const program = await this.#parts.programs.pipe({ argv, env }, {
      isNamed: true,
      before: THROUGH_PIPES,
      signal: this.#ending.signal,
      ...(folder !== undefined && { folder }),
      ...(call.onEvent && { onEvent: call.onEvent }),
    });
    for (const warning of [...program.warnings, ...warnings]) call.warn(warning);
    if (!signal.aborted) return program;
    await program.close({ graceMs: 0 });
    throw signal.reason;
  }

  #audit(running: Running, { onProgram }: BrowserCall): void {
    if (running.isAudited) return;
    running.isAudited = true;
    if (running.own !== null) onProgram(running.own.program.audited());
  }

  #expectUse(): void {
    clearTimeout(this.#idle);
    if (this.#hasEnded || this.#running?.own === null) return;
    this.#idle = setTimeout(() => void this.#stop(), this.#parts.maxIdleMs ?? MAX_IDLE_MS);
  }

  async #stop(): Promise<void> {
    clearTimeout(this.#idle);
    const running = this.#running;
    if (running === null) return;
    this.#running = null;
    this.#hasLost = true;
    await running.link[Symbol.asyncDispose]();
    await running.own?.start.end();
  }
}

async function connectionsOf({ own }: Running): Promise<readonly Connection[]> {
  return own === null ? [] : await own.start.connections(own.program);
}

function noChromium(): ToolError {
  return new ToolError(
    "unavailable",
    `There is no browser: install chromium or google-chrome, or name one in ${CHROMIUM_VARIABLE}`,
  );
}

/** A page of the gate in the place of the one that was asked for is no page. */
function requireReached(action: BrowserAction, connections: readonly Connection[]): void {
  if (action.do !== "open") return;
  const why = whyUnreached(action.url, connections);
  if (why !== null) throw why;
}
