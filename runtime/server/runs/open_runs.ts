import { basename } from "@std/path";
import type { z } from "zod";

import { ToolError } from "../../../schemas/error.ts";
import { newSessionId } from "../../state/sessions/session_folder.ts";
import { checkSession } from "../../state/sessions/check_session.ts";
import { removeSession } from "../../state/sessions/remove_session.ts";
import { readOverlay, removeOverlay } from "../../state/overlay/overlay_store.ts";
import { sessionFolder } from "../../state/tool_state.ts";
import { removeRecords } from "../../state/undo/undo_store.ts";
import { headerSecrets, secretValues } from "../../text/secrets/redact.ts";
import { systemError } from "../../walls/files/system_error.ts";
import type { AnswerRun, RunDetail, RunInfo, RunQuery } from "../api/run_schemas.ts";
import { servedFolder } from "../contract/narrow.ts";
import type { Served } from "../contract/served.ts";
import { catchUp } from "./catch_up.ts";
import type { RunBench } from "./do_run.ts";
import { readLog } from "./run_log.ts";
import { type KnownRun, type KnownRuns, usedBy } from "./known_runs.ts";
import { cancelledBy, type LiveRun } from "./live_run.ts";
import { RunAccess } from "./run_access.ts";
import type { AskKind, NumberedEvent, Runs, RunWish } from "./runs.ts";
import { readPictures, writePictures } from "./settings/keep_pictures.ts";
import { inboxOf, type KeptRequest, shortTask } from "./settings/kept_request.ts";
import { planRun } from "./settings/run_settings.ts";
import { SharedModels } from "./settings/shared_models.ts";
import { type RunOpening, WorkingRuns } from "./working_runs.ts";

/**
 * Opens the runs of a server. Needs `read` and `write` of the store of sessions.
 *
 * @throws {ToolError} `configuration` if there is no place for sessions
 */
export function openRuns(served: Served, access = new RunAccess(served)): Runs {
  return new ServedRuns({ served, state: access.state, models: new SharedModels() }, access);
}

type Detail = z.infer<typeof RunDetail>;

class ServedRuns implements Runs {
  readonly #bench: RunBench;
  readonly #access: RunAccess;
  readonly #known: KnownRuns;
  readonly #secrets: readonly string[];
  readonly #working: WorkingRuns;
  /** Sessions that a request is about to go on with. */
  readonly #taken = new Set<string>();
  readonly #catching = new Map<string, Promise<readonly NumberedEvent[]>>();
  #isClosed = false;

  constructor(bench: RunBench, access: RunAccess) {
    const { served: { host, model } } = bench;
    this.#bench = bench;
    this.#access = access;
    this.#known = access.known;
    this.#working = new WorkingRuns(bench);
    this.#secrets = [
      ...secretValues(host.env),
      ...host.control.secrets ?? [],
      ...model.apiKey ? [model.apiKey] : [],
      ...headerSecrets(model.headers ?? {}),
    ];
  }

  get queued(): number {
    return this.#working.queued;
  }

  async start(request: RunWish): Promise<Detail> {
    this.#check();
    const { served, state } = this.#bench;
    const { prompt, before, images = [], client = "", gone, workspace, traceparent, ...choice } = request;
    const place = workspace === undefined ? served.roots[0]! : servedFolder(workspace, served.roots);
    const pictures = readPictures(images);
    const now = new Date();
    const kept: KeptRequest = {
      v: 1,
      time: now.toISOString(),
      ...{ workspace: place, task: shortTask(prompt), client, choice },
      said: { prompt, before: before ?? null, images: [] },
      failure: null,
    };
    const id = newSessionId(now);
    await planRun(served, kept, { id, kept: null });
    // Meanwhile others may have come.
    this.#check();
    makeFolder(state, id);
    const paths = writePictures(pictures, inboxOf(state, id));
    const said = { ...kept.said!, images: paths };
    const live = this.#begin(id, { ...kept, said }, { isResumed: false, traceparent });
    if (served.stopOnDisconnect) endWith(gone, live);
    return await this.get(id);
  }

  async list(query: z.infer<typeof RunQuery>) {
    return await this.#known.list(query, this.#working.all);
  }

  async get(id: string): Promise<Detail> {
    const run = await this.#read(id);
    const detail = await this.#known.detail(run, this.#working.get(id));
    const undo = detail.can.undo && this.#access.mayTakeBack(run);
    return { ...detail, can: { ...detail.can, undo } };
  }

  async follow(id: string, after: number): Promise<AsyncIterable<readonly NumberedEvent[]> | null> {
    await this.#read(id);
    const path = this.#known.logPath(id);
    const live = this.#working.get(id);
    if (live !== null) return this.#working.watched(live, readLog(path, { after, live: live.log }));
    const rest = await this.#catchUp(id);
    // Meanwhile somebody may have gone on with it.
    if (this.#working.get(id)) return await this.follow(id, after);
    const last = rest.at(-1)?.n ?? (await this.get(id)).events;
    if (after >= last) return null;
    return withRest(readLog(path, { after, live: null }), rest.filter(({ n }) => n > after));
  }

  async settled(id: string, kinds: readonly AskKind[] = ["question", "consent"]): Promise<Detail> {
    const live = this.#working.get(id);
    if (live) {
      await live.settled(kinds);
      if (!live.asks(kinds)) await live.over;
    }
    return await this.get(id);
  }

  async answer(id: string, answer: z.infer<typeof AnswerRun>): Promise<Detail> {
    const run = await this.#read(id);
    const live = this.#working.get(id);
    if (live && live.questions.waiting.length > 0) {
      live.questions.answer(answer);
      return await this.get(id);
    }
    const { state } = await this.#known.info(run, live);
    if (state !== "waiting") {
      throw new ToolError("conflict", `Run ${id} waits for no answer: it is ${state}`);
    }
    if (answer.answer === undefined) {
      throw new ToolError("invalid_input", "The run asks a question: give answer");
    }
    return await this.resume(id, { prompt: answer.answer });
  }

  async cancel(id: string): Promise<Detail> {
    this.#access.find(id);
    await this.#working.end(id, "The run was cancelled");
    return await this.get(id);
  }

  async resume(
    id: string,
    how: Parameters<Runs["resume"]>[1],
  ): Promise<Detail> {
    this.#check();
    const run = await this.#read(id);
    if (this.#working.get(id) || this.#taken.has(id)) throw atWork(id);
    this.#taken.add(id);
    try {
      await this.#goOn(run, how);
    } finally {
      this.#taken.delete(id);
    }
    return await this.get(id);
  }

  async remove(id: string): Promise<z.infer<typeof RunInfo>> {
    const run = this.#access.find(id);
    this.#access.checkRemoval(run);
    if (this.#taken.has(id)) throw atWork(id);
    this.#taken.add(id);
    try {
      await this.#working.end(id, "The run was removed");
      this.#access.checkRemoval(run);
      const info = await this.#known.info(this.#known.find(id) ?? run, null);
      const { state } = this.#bench;
      await removeSession(state, id, async () => {
        const overlay = readOverlay(state, id);
        if (overlay !== null) await removeOverlay(overlay);
        removeRecords(state, id);
      });
      return info;
    } finally {
      this.#taken.delete(id);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    await this.#working.endAll("The server was stopped");
    await this.#bench.models[Symbol.asyncDispose]();
  }

  /** Goes on with a run that nobody else goes on with now. */
  async #goOn(
    run: KnownRun,
    { prompt, images = [], client, traceparent }: Parameters<Runs["resume"]>[1],
  ): Promise<void> {
    const { served, state } = this.#bench;
    const { id, ends, request } = run;
    const said = request?.said ?? null;
    const pictures = readPictures(images, said?.images.map((path) => basename(path)));
    if ((await this.#known.info(run, null)).state === "running") throw atWork(id);
    const workspace = servedFolder(run.workspace, served.roots);
    if (readOverlay(state, id)) throw isInCopy(id);
    const isNew = ends === null;
    if (pictures.length > 0 && prompt === undefined) {
      throw new ToolError("invalid_input", "Pictures come with a prompt: say what to do with them");
    }
    checkSession(state, id);
    await this.#catchUp(id);
    const paths = writePictures(pictures, inboxOf(state, id));
    const kept: KeptRequest = {
      v: 1,
      time: request?.time ?? ends!.info.started,
      workspace,
      task: request?.task ?? ends!.info.task,
      client: client ?? request?.client ?? "",
      choice: request?.choice ?? {},
      said: {
        prompt: [said?.prompt, prompt].filter((text) => !!text).join("\n\n") || null,
        before: said?.before ?? null,
        images: [...said?.images ?? [], ...paths],
      },
      failure: null,
      used: usedBy(run),
    };
    // Meanwhile others may have come.
    this.#check();
    this.#begin(id, kept, { isResumed: !isNew, traceparent });
  }

  #begin(id: string, request: KeptRequest, how: Pick<RunOpening, "isResumed" | "traceparent">): LiveRun {
    const log = this.#known.logPath(id);
    return this.#working.begin({ id, request, log, secrets: this.#secrets, ...how });
  }

  /** One that is at work here has what the server gave it. */
  async #read(id: string): Promise<KnownRun> {
    return this.#working.get(id) ? this.#access.find(id) : await this.#access.read(id);
  }

  /** One at a time: two would write the same events. */
  async #catchUp(id: string): Promise<readonly NumberedEvent[]> {
    const place = { state: this.#bench.state, id, path: this.#known.logPath(id), secrets: this.#secrets };
    const begun = this.#catching.get(id);
    if (begun) return await begun;
    const caught = catchUp(place).finally(() => this.#catching.delete(id));
    this.#catching.set(id, caught);
    return await caught;
  }

  #check(): void {
    if (this.#isClosed) throw new ToolError("unavailable", "The server is stopping: ask again later");
    this.#working.check();
  }
}

function atWork(id: string): ToolError {
  return new ToolError("conflict", `Run ${id} is at work: answer or cancel it, or wait for its end`);
}

/** Here it would work in the workspace itself, without what it has changed so far. */
function isInCopy(id: string): ToolError {
  return new ToolError(
    "conflict",
    `Run ${id} works in a copy of the workspace (--overlay): go on with it by bulkhead run --resume ${id}, or bring its ` +
      `changes in first with bulkhead apply ${id}`,
  );
}

async function* withRest(
  events: AsyncGenerator<readonly NumberedEvent[]>,
  rest: readonly NumberedEvent[],
): AsyncGenerator<readonly NumberedEvent[]> {
  yield* events;
  if (rest.length > 0) yield rest;
}

function endWith(gone: AbortSignal | undefined, live: LiveRun): void {
  const end = () => live.stop(cancelledBy("The client has gone"));
  if (gone?.aborted) end();
  else gone?.addEventListener("abort", end, { once: true });
}

/** Only the user gets at what is kept there. */
function makeFolder(state: string, id: string): void {
  const folder = sessionFolder(state, id);
  try {
    Deno.mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw systemError(error, "make", folder);
  }
  checkSession(state, id);
}
