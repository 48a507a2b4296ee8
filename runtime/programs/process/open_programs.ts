import { ToolError } from "../../../schemas/error.ts";
import type { SessionInfo, SessionSpec } from "../../../schemas/program.ts";
import type { ClosedPaths } from "../../walls/box/bubblewrap.ts";
import type { ProgramCall } from "./program_host.ts";
import { abortError, type RunTools } from "./run_to_end.ts";
import { OpenProgram, type SessionParts } from "./open_program.ts";
import { supervise } from "../journal/supervise.ts";

/** Bounds of the sessions of a host. */
export interface SessionLimits {
  /** Most sessions at once. @default 32 */
  maxOpen: number;
  /** A session that no call used for so long is ended, in milliseconds. @default 30 minutes */
  maxIdleMs: number;
}

const LIMITS: SessionLimits = { maxOpen: 32, maxIdleMs: 30 * 60 * 1000 };

/** How long an idle session has to end by itself, in milliseconds. */
const IDLE_GRACE_MS = 1_000;

interface Entry {
  session: OpenProgram;
  /** Calls that use it now. */
  users: number;
  idle: ReturnType<typeof setTimeout> | undefined;
}

/** The opened programs of a host. */
export class OpenPrograms {
  readonly #tools: RunTools;
  readonly #limits: SessionLimits;
  readonly #entries = new Map<string, Entry>();
  /** Programs that are forgotten but not yet gone. */
  readonly #closing = new Set<OpenProgram>();
  readonly #counts = { term: 0, prog: 0 };
  /** Programs that are being prepared. */
  #opening = 0;
  #hasEnded = false;

  constructor(tools: RunTools, limits: Partial<SessionLimits> = {}) {
    this.#tools = tools;
    this.#limits = { ...LIMITS, ...limits };
  }

  /** What the boxes of the opened programs close to them. */
  closed(): ClosedPaths {
    const open = [...this.#closing, ...[...this.#entries.values()].map(({ session }) => session)];
    const all = (kind: keyof ClosedPaths) => [...new Set(open.flatMap(({ closed }) => closed[kind]))].sort();
    return { hidden: all("hidden"), frozen: all("frozen") };
  }

  /** Starts a program that stays. */
  async open(spec: SessionSpec, call: ProgramCall): Promise<SessionInfo> {
    const session = await this.#start(spec, call);
    const { id } = session;
    this.#entries.set(id, { session, users: 0, idle: undefined });
    const info = await this.use(id, call, async () => {
      await session.started();
      session.audit(call);
      return session.info;
    });
    if (!call.signal.aborted) return info;
    // The caller would never learn of this program.
    await this.close(id, call, { graceMs: 0 });
    throw abortError(call.signal);
  }

  /** Allows a call to use a session of its toolset. Throws `not_found` for any other. */
  async use<T>(id: string, call: ProgramCall, work: (session: OpenProgram) => T | Promise<T>): Promise<T> {
    const entry = this.#get(id, call);
    clearTimeout(entry.idle);
    entry.users++;
    try {
      // Its way to the network may have ended since.
      await entry.session.look();
      return await work(entry.session);
    } finally {
      await entry.session.look();
      entry.session.report(call);
      entry.users--;
      if (entry.users === 0 && this.#entries.get(id) === entry) this.#expectUse(entry);
    }
  }

  /** Ends a program and forgets it. Throws `not_found` for one of another toolset. */
  async close(id: string, call: ProgramCall, options: { graceMs: number }): Promise<SessionInfo> {
    const entry = this.#get(id, call);
    await this.#close(entry, options);
    entry.session.report(call);
    return entry.session.info;
  }

  /** Ends all at once; no more can be opened. */
  async end(): Promise<void> {
    this.#hasEnded = true;
    const open = [...this.#entries.values()].map((entry) => this.#close(entry, { graceMs: 0 }));
    await Promise.all([...open, ...[...this.#closing].map((session) => session.close({ graceMs: 0 }))]);
  }

  async #start(spec: SessionSpec, call: ProgramCall): Promise<OpenProgram> {
    const { maxOpen } = this.#limits;
    if (this.#entries.size + this.#opening >= maxOpen) {
      throw new ToolError(
        "limit_exceeded",
        `${maxOpen} sessions are open, which is the most: close one first`,
        {
          details: { open: [...this.#entries.values()].filter(isOf(call)).map(({ session }) => session.id) },
        },
      );
    }
    this.#opening++;
    try {
      const options = { terminal: spec.terminal !== undefined, stays: true };
      const launch = await this.#tools.launcher.launch(spec, call, options);
      this.#requireGoing(call);
      const supervision = await supervise(launch, this.#tools);
      return await this.#startWatched({ spec, launch, supervision }, call);
    } finally {
      this.#opening--;
    }
  }

  async #startWatched(
    { spec, launch, supervision }: Pick<SessionParts, "spec" | "launch" | "supervision">,
    call: ProgramCall,
  ): Promise<OpenProgram> {
    const kind = spec.terminal ? "term" : "prog";
    try {
      this.#requireGoing(call);
      const id = `${kind}_${this.#counts[kind] + 1}`;
      const { toolset } = call;
      const session = new OpenProgram({ id, toolset, spec, launch, supervision, tools: this.#tools, call });
      this.#counts[kind]++;
      return session;
    } catch (error) {
      await supervision.finish();
      throw error;
    }
  }

  #requireGoing({ signal }: ProgramCall): void {
    if (signal.aborted) throw abortError(signal);
    if (this.#hasEnded) throw new ToolError("cancelled", "The run is over");
  }

  #get(id: string, call: ProgramCall): Entry {
    const entry = this.#entries.get(id);
    // A call does not learn of sessions of other toolsets.
    if (!entry || !isOf(call)(entry)) throw new ToolError("not_found", `Session not found: ${id}`);
    return entry;
  }

  async #close({ session, idle }: Entry, options: { graceMs: number }): Promise<void> {
    clearTimeout(idle);
    this.#entries.delete(session.id);
    this.#closing.add(session);
    await session.close(options);
    this.#closing.delete(session);
  }

  #expectUse(entry: Entry): void {
    entry.idle = setTimeout(
      () => void this.#close(entry, { graceMs: IDLE_GRACE_MS }),
      this.#limits.maxIdleMs,
    );
    Deno.unrefTimer(entry.idle);
  }
}

function isOf(call: ProgramCall): (entry: Entry) => boolean {
  return ({ session }) => session.toolset === call.toolset;
}
