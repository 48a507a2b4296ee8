import { followRun } from "../net/follow_run.ts";
import { ApiProblem, ServerApi } from "../net/server_api.ts";
import type { Answering, MoreOfRun, NewRun, RunNow, RunRow } from "../net/shapes.ts";
import type { NumberedEvent } from "../../runs/runs.ts";
import { addEvents } from "../state/add_events.ts";
import { readRoute, runAddress } from "../state/route.ts";
import { Store } from "../state/store.ts";
import { firstState, openedRun, type OpenRun, type PageState } from "./page_state.ts";

/** How often the list of runs is read again, in milliseconds. */
const LIST_MS = 4_000;
/** Longest pause between two tries to reach the server, in milliseconds. */
const MAX_PAUSE_MS = 8_000;
/** After these events a run stands differently. */
const TURNING: ReadonlySet<string> = new Set([
  "run.queued",
  "run.start",
  "run.end",
  "question",
  "question.end",
]);
const SPOKEN: Readonly<Record<RunNow["state"], string>> = {
  queued: "The run waits for its turn.",
  running: "The run is at work.",
  waiting: "The run waits for your answer.",
  interrupted: "The run was stopped.",
  completed: "The run is completed.",
  failed: "The run failed.",
};

/** What the page does: it asks the server, and keeps what it shows in one store. */
export class PageControl {
  readonly api = new ServerApi();
  readonly store: Store<PageState>;
  #unfollow: () => void = () => {};
  #pause = 0;
  #started: RunNow | null = null;

  constructor() {
    this.store = new Store(firstState(readRoute(location.hash)));
  }

  /** Shows what the address says, now and whenever it changes. */
  begin(): void {
    addEventListener("hashchange", () => this.#show());
    setInterval(() => !document.hidden && void this.#refreshList(), LIST_MS);
    void this.#loadInfo();
    void this.searchRuns("");
    this.#show();
  }

  async start(run: NewRun): Promise<boolean> {
    const started = await this.attempt(this.api.start(run));
    if (!started) return false;
    this.#started = started;
    location.hash = runAddress(started.id);
    void this.#refreshList();
    return true;
  }

  /** Fills the form for a new run with what another one was asked for. */
  async again(row: RunRow): Promise<void> {
    const prompt = await this.attempt(this.api.promptOf(row.id));
    if (prompt === null) return;
    const { agent, model, workspace, grants } = row;
    const { info, draft } = this.store.value;
    const run: NewRun = {
      ...{ prompt: prompt || row.task, workspace },
      ...agent !== null && { agent },
      ...model !== null && info?.models.includes(model) && { model },
      ...grants && { grants },
    };
    this.#change({ draft: { key: (draft?.key ?? 0) + 1, run } });
    location.hash = "#/";
  }

  async remove(id: string): Promise<void> {
    if (!await this.attempt(this.api.remove(id))) return;
    const { list, run } = this.store.value;
    this.#setList({ rows: list.rows.filter((row) => row.id !== id) });
    if (run?.id === id) location.hash = "#/";
  }

  /** Tries a model, and takes it for runs that name none; gives why it does not work, `null` if it does. */
  async takeModel(model: string): Promise<string | null> {
    try {
      await this.api.chooseModel(model);
      await this.#loadInfo();
      const { info } = this.store.value;
      // The server may still tell what it was a moment ago.
      if (info) {
        this.#change({
          info: { ...info, model, model_problem: null, models: [...new Set([model, ...info.models])] },
        });
      }
      return null;
    } catch (error) {
      return error instanceof ApiProblem ? error.message : String(error);
    }
  }

  async resume(id: string, more: MoreOfRun): Promise<boolean> {
    const now = await this.attempt(this.api.resume(id, more));
    const { run } = this.store.value;
    if (!now || run?.id !== id) return now !== null;
    this.#setRun(id, { now, link: "live" });
    this.#follow(id);
    return true;
  }

  async answer(id: string, answer: Answering): Promise<boolean> {
    const now = await this.attempt(this.api.answer(id, answer));
    if (now) this.#setRun(id, { now });
    return now !== null;
  }

  async cancel(id: string): Promise<void> {
    const now = await this.attempt(this.api.cancel(id));
    if (now) this.#setRun(id, { now });
  }

  /** Lists the runs that have these words. */
  async searchRuns(search: string): Promise<void> {
    this.#setList({ search, isLoaded: false });
    await this.#refreshList();
  }

  /** Adds the next page to the list. */
  async moreRuns(): Promise<void> {
    const { search, next } = this.store.value.list;
    const page = await this.attempt(this.api.runs({ search, before: next }));
    if (page) this.#setList({ rows: [...this.store.value.list.rows, ...page.runs], next: page.next });
  }

  /** Waits for something that the person asked for; shows why it did not work, and gives `null` then. */
  async attempt<Value>(work: Promise<Value>): Promise<Value | null> {
    try {
      const value = await work;
      this.#change({ problem: null, isAway: false });
      return value;
    } catch (error) {
      this.#fail(error);
      return null;
    }
  }

  closeProblem(): void {
    this.#change({ problem: null });
  }

  async #loadInfo(): Promise<void> {
    const info = await this.attempt(this.api.info());
    if (info) this.#change({ info });
    else if (!this.store.value.isLocked) setTimeout(() => void this.#loadInfo(), MAX_PAUSE_MS);
  }

  async #refreshList(): Promise<void> {
    const { search, rows, isLoaded } = this.store.value.list;
    try {
      const page = await this.api.runs({ search, before: null });
      if (this.store.value.list.search !== search) return;
      const ids = new Set(page.runs.map(({ id }) => id));
      // Later pages stay as they are.
      const older = isLoaded && rows.length > page.runs.length ? rows.slice(page.runs.length) : [];
      const kept = page.next === null ? [] : older.filter(({ id }) => !ids.has(id));
      const next = kept.length > 0 ? this.store.value.list.next : page.next;
      this.#setList({ rows: [...page.runs, ...kept], next, isLoaded: true });
      this.#refreshUsage(page.runs);
      if (this.store.value.isAway) this.#change({ isAway: false });
    } catch (error) {
      this.#fail(error);
    }
  }

  /** What a run at work used so far comes with the list. */
  #refreshUsage(rows: readonly RunRow[]): void {
    const { run } = this.store.value;
    const row = rows.find(({ id }) => id === run?.id);
    if (row && run?.now) this.#setRun(run.id, { now: { ...run.now, usage: row.usage, policy: row.policy } });
  }

  #show(): void {
    const route = readRoute(location.hash);
    this.#unfollow();
    this.#change({
      route,
      problem: null,
      run: route.at === "run" ? openedRun(route.id, this.#started) : null,
      spoken: "",
    });
    if (route.at === "run") {
      void this.#refreshRun(route.id);
      this.#follow(route.id);
    }
  }

  #follow(id: string): void {
    this.#unfollow();
    const { run } = this.store.value;
    if (run?.id !== id) return;
    const stop = followRun(id, run.transcript.last, {
      onEvents: (events) => this.#addEvents(id, events),
      onLink: (link) => {
        if (link === "live") this.#pause = 0;
        // The server closes the stream behind the end of a run: it has not gone.
        else if (this.store.value.run?.transcript.items.at(-1)?.kind === "end") return void this.#closed(id);
        this.#setRun(id, { link });
      },
      onClose: () => void this.#closed(id),
    });
    this.#unfollow = stop;
  }

  /** The run has ended, or else the server has gone and is looked for until it is back. */
  async #closed(id: string): Promise<void> {
    this.#unfollow();
    const now = await this.#refreshRun(id);
    const { run, isLocked } = this.store.value;
    if (run?.id !== id || isLocked || run.link === "missing") return;
    if (now && run.transcript.last >= now.events && !["queued", "running", "waiting"].includes(now.state)) {
      return this.#setRun(id, { link: "closed" });
    }
    this.#setRun(id, { link: now ? "live" : "away" });
    this.#pause = Math.min(MAX_PAUSE_MS, this.#pause * 2 + 500);
    const timer = setTimeout(() => this.#follow(id), this.#pause);
    this.#unfollow = () => clearTimeout(timer);
  }

  #addEvents(id: string, events: readonly NumberedEvent[]): void {
    const { run } = this.store.value;
    if (run?.id !== id) return;
    this.#setRun(id, { transcript: addEvents(run.transcript, events) });
    if (!events.some(({ event }) => TURNING.has(event.type))) return;
    void this.#refreshRun(id);
    void this.#refreshList();
  }

  async #refreshRun(id: string): Promise<RunNow | null> {
    try {
      const now = await this.api.run(id);
      this.#setRun(id, { now });
      if (this.store.value.isAway) this.#change({ isAway: false });
      return now;
    } catch (error) {
      if (this.store.value.run?.id !== id) return null;
      if (error instanceof ApiProblem && error.code === "not_found") this.#setRun(id, { link: "missing" });
      else this.#fail(error);
      return null;
    }
  }

  #setRun(id: string, part: Partial<OpenRun>): void {
    this.store.change((state) => {
      if (state.run?.id !== id) return state;
      const before = state.run.now?.state;
      const spoken = part.now && part.now.state !== before ? SPOKEN[part.now.state] : state.spoken;
      return { ...state, run: { ...state.run, ...part }, spoken };
    });
  }

  #setList(part: Partial<PageState["list"]>): void {
    this.store.change((state) => ({ ...state, list: { ...state.list, ...part } }));
  }

  #change(part: Partial<PageState>): void {
    this.store.change((state) => ({ ...state, ...part }));
  }

  #fail(error: unknown): void {
    const { code, message, status } = error instanceof ApiProblem
      ? error
      : { code: "internal", message: String(error), status: 0 };
    if (status === 401) this.#change({ isLocked: true });
    else if (code === "offline") this.#change({ isAway: true });
    else this.#change({ problem: { code, message } });
  }
}
