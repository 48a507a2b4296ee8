import { join } from "@std/path";
import type { z } from "zod";

import { type AgentTermination, type AgentUsage, isAnswered } from "../../../schemas/agent/agent.ts";
import {
  listSessionEnds,
  type SessionEnds,
  sessionEnds,
  tracePath,
} from "../../state/sessions/session_folder.ts";
import { readOverlay } from "../../state/overlay/overlay_store.ts";
import { tryLock } from "../../walls/owned/try_lock.ts";
import { settlesWithin } from "../../wait/settles_within.ts";
import { isInside } from "../../walls/grants/inside.ts";
import { stricterPolicy } from "../../walls/grants/policies.ts";
import type { RunDetail, RunInfo, RunQuery } from "../api/run_schemas.ts";
import { reasonOf } from "../../agent/ending/end_event.ts";
import { lastEvent } from "./run_log.ts";
import { addUsage } from "./used.ts";
import type { LiveRun } from "./live_run.ts";
import { folderOrNull, type KeptRequest, readKeptRequest } from "./settings/kept_request.ts";

type Info = z.infer<typeof RunInfo>;
type Detail = z.infer<typeof RunDetail>;

/** What is known of a run from its folder. */
export interface KnownRun {
  id: string;
  /** `null` if it never began. */
  ends: SessionEnds | null;
  /** `null` for a session of the command line. */
  request: KeptRequest | null;
  workspace: string;
}

/** How long it is waited for whoever holds a trace, in milliseconds. */
const HELD_MS = 50;

/** How a run stands by the end of its trace. */
const STATES: Partial<Record<AgentTermination, Info["state"]>> = {
  completed: "completed",
  waiting_for_clarification: "waiting",
  interrupted: "interrupted",
};

/** The runs of the served folders, by what the store of sessions has of them. */
export class KnownRuns {
  readonly #state: string;
  readonly #roots: readonly string[];
  readonly #seen = new Map<string, SessionEnds>();
  /** Traces that another process holds, as far as it is known. */
  readonly #held = new Map<string, Promise<void>>();

  constructor(state: string, roots: readonly string[]) {
    this.#state = state;
    this.#roots = roots;
  }

  /** Returns a run; `null` if there is none, or none of the served folders. Needs `read`. */
  find(id: string): KnownRun | null {
    if (folderOrNull(this.#state, id) === null) return null;
    return this.#known(id, sessionEnds(this.#state, id));
  }

  /** Returns the path of a run's events. */
  logPath(id: string): string {
    return join(folderOrNull(this.#state, id)!, "events.jsonl");
  }

  /** Lists runs, the one that began last first: a list that a person looks at keeps its order. Needs `read`. */
  async list(
    { search = "", state, limit = 50, before }: z.infer<typeof RunQuery>,
    live: ReadonlyMap<string, LiveRun>,
  ): Promise<{ runs: Info[]; next: string | null }> {
    const words = search.toLowerCase().split(/\s+/).filter((word) => word !== "");
    const found = (await this.#all())
      .sort((a, b) => keyOf(a) < keyOf(b) ? 1 : -1)
      .filter((run) => before === undefined || keyOf(run) < before);
    const runs: Info[] = [];
    for (const run of found) {
      const text = `${taskOf(run)}\n${run.ends?.info.model ?? ""}\n${run.workspace}`.toLowerCase();
      if (!words.every((word) => text.includes(word))) continue;
      if (runs.length === limit) {
        const last = found.find(({ id }) => id === runs.at(-1)!.id)!;
        return { runs, next: keyOf(last) };
      }
      const info = await this.info(run, live.get(run.id) ?? null);
      if (state === undefined || info.state === state) runs.push(info);
    }
    return { runs, next: null };
  }

  /** Tells how a run stands. Needs `read`. */
  async info(run: KnownRun, live: LiveRun | null): Promise<Info> {
    const { id, ends, request, workspace } = run;
    const stands = live ? { state: live.standing, termination: null } : await this.#standing(run);
    const last = live === null ? lastEvent(this.logPath(id)) : null;
    const [created, updated] = [createdOf(run), updatedOf(run)];
    // What was gone on with took other time than that since its beginning.
    const isOnce = live === null && ends !== null && ends.outcome !== null && request !== null &&
      !request.used;
    return {
      id,
      state: stands.state,
      task: taskOf(run),
      agent: live?.facts.agent ?? ends?.run.agent ?? request?.choice.agent ?? null,
      model: live?.facts.model ?? ends?.info.model ?? request?.choice.model ?? null,
      workspace,
      created,
      updated,
      seconds: isOnce ? Math.max(0, (Date.parse(updated) - Date.parse(created)) / 1_000) : null,
      changed: last?.event.type === "run.end" ? last.event.changed?.length ?? 0 : null,
      termination_reason: stands.termination,
      events: live?.log.last ?? last?.n ?? 0,
      policy: policyOf(run),
      grants: request?.choice.grants ?? null,
      usage: live ? addUsage(live.request.used, live.usage) : usedBy(run),
    };
  }

  /** Tells how a run stands, and what came of it. Needs `read`. */
  async detail(run: KnownRun, live: LiveRun | null): Promise<Detail> {
    const info = await this.info(run, live);
    const { ends, request } = run;
    const outcome = live || request?.said ? null : ends?.outcome ?? null;
    const failure = live ? null : request?.failure ?? outcome?.error ?? null;
    const isOver = live === null && info.state !== "running";
    return {
      ...info,
      answer: outcome && isAnswered(outcome.termination_reason) ? outcome.answer : null,
      ...(outcome && "output" in outcome && { output: outcome.output }),
      error: failure && { code: failure.code, message: failure.message },
      questions: live ? [...live.questions.waiting] : askedOf(ends, info.state),
      can: {
        resume: isOver && readOverlay(this.#state, run.id) === null,
        undo: isOver && ends !== null,
        cancel: live !== null,
        answer: info.state === "waiting",
      },
    };
  }

  async #standing(
    { id, ends, request }: KnownRun,
  ): Promise<{ state: Info["state"]; termination: string | null }> {
    if (request?.failure) {
      const end = reasonOf(request.failure);
      return { state: end === "interrupted" ? "interrupted" : "failed", termination: end };
    }
    if (request?.said || ends === null) {
      // Another outcome is of what was said before.
      const isKept = ends?.outcome?.termination_reason === "interrupted";
      return { state: "interrupted", termination: isKept ? "interrupted" : null };
    }
    const { outcome } = ends;
    if (outcome === null) {
      return { state: await this.#isHeld(id) ? "running" : "interrupted", termination: null };
    }
    const { termination_reason: termination } = outcome;
    return { state: STATES[termination] ?? "failed", termination };
  }

  async #all(): Promise<KnownRun[]> {
    const sessions = await listSessionEnds(this.#state, this.#seen);
    const begun = sessions.flatMap((ends) => this.#known(ends.info.id, ends) ?? []);
    const ids = new Set(sessions.map(({ info }) => info.id));
    return [...begun, ...await this.#unbegun(ids)];
  }

  /** Runs that the server was asked for, and that have not begun. */
  async #unbegun(begun: ReadonlySet<string>): Promise<KnownRun[]> {
    const found: KnownRun[] = [];
    try {
      for await (const { name, isDirectory } of Deno.readDir(join(this.#state, "sessions"))) {
        if (!isDirectory || begun.has(name) || folderOrNull(this.#state, name) === null) continue;
        const run = this.#known(name, null);
        if (run !== null) found.push(run);
      }
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
    }
    return found;
  }

  #known(id: string, ends: SessionEnds | null): KnownRun | null {
    const request = readKeptRequest(this.#state, id);
    const workspace = ends?.info.workspace ?? request?.workspace;
    if (workspace === undefined) return null;
    return this.#roots.some((root) => isInside(root, workspace)) ? { id, ends, request, workspace } : null;
  }

  /** Another process is at work on it. At most one look at a trace waits at a time. */
  async #isHeld(id: string): Promise<boolean> {
    const path = tracePath(this.#state, id);
    if (this.#held.has(id)) return true;
    const file = await Deno.open(path, { read: true, append: true });
    const isTaken = await tryLock(file);
    if (isTaken !== null) {
      file.close();
      return !isTaken;
    }
    const look = file.lock(true).then(() => file.close(), () => file.close()).finally(() => {
      this.#held.delete(id);
    });
    this.#held.set(id, look);
    return !await settlesWithin(look, HELD_MS);
  }
}

function taskOf({ ends, request }: KnownRun): string {
  return ends?.info.task || request?.task || "";
}

function createdOf({ ends, request }: KnownRun): string {
  return request?.time ?? ends!.info.started;
}

function updatedOf({ ends, request }: KnownRun): string {
  const { updated = "" } = ends?.info ?? {};
  const time = request?.said ? request.time : "";
  return updated > time ? updated : time || request!.time;
}

/** A request may have made it stricter: then the name of the server's policy would say too much. */
function policyOf({ ends, request }: KnownRun): string | null {
  const asked = request?.choice.grants?.policy;
  if (asked === undefined) return ends?.run.policy ?? null;
  const kept = ends?.run.settings?.policy.base;
  return kept === undefined ? asked : stricterPolicy(kept, asked);
}

/** Returns what a run used that is not at work here; `null` if nothing is known. */
export function usedBy({ ends, request }: KnownRun): AgentUsage | null {
  // Until it begins, the end of its trace is the one that was gone on with.
  return addUsage(request?.used, request?.said ? null : ends?.outcome?.usage ?? request?.going);
}

/** What a list is sorted by, and goes on behind. */
function keyOf(run: KnownRun): string {
  return `${createdOf(run)}~${run.id}`;
}

/** A run that ended with a question is answered by going on with it. */
function askedOf(ends: SessionEnds | null, state: Info["state"]): Detail["questions"] {
  if (state !== "waiting" || !ends?.outcome) return [];
  const { questions = [], answer } = ends.outcome;
  const text = questions.length > 0 ? questions.join("\n") : answer ?? "";
  return [{ id: "end", kind: "question", text, tool: null }];
}
