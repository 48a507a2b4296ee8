import { resolve } from "@std/path";

import { ToolError } from "../../../schemas/error.ts";
import type { FileGrants } from "../../../schemas/grants.ts";
import { filesGranted } from "../../host/configure_host.ts";
import { claimSession } from "../../state/sessions/session_claim.ts";
import { checkSession } from "../../state/sessions/check_session.ts";
import { tracePath } from "../../state/sessions/session_folder.ts";
import { readTrace } from "../../state/sessions/trace_file.ts";
import { stateFolder } from "../../state/state_folder.ts";
import { sessionRecords } from "../../state/undo/undo_store.ts";
import { realOrNull } from "../../walls/files/file_facts.ts";
import { readFlagWord, showFlags } from "../../walls/grants/flag_word.ts";
import { isInside } from "../../walls/grants/inside.ts";
import { covers, refusalError, refusePath } from "../../walls/grants/path_access.ts";
import type { Served } from "../contract/served.ts";
import { type KnownRun, KnownRuns } from "./known_runs.ts";

/**
 * Whose runs and sessions a server touches, and what of them: the one place where every operation asks, before it reads,
 * writes, takes back or removes. The command line may have allowed a run more than the server may do.
 */
export class RunAccess {
  readonly #served: Served;
  /** Where bulkhead keeps what outlives a run. */
  readonly state: string;
  /** All runs of the served folders. */
  readonly known: KnownRuns;
  /** What is more about a run than the server may read, by the state of its trace. */
  readonly #looked = new Map<string, { mark: string; more: string | null }>();

  /** Throws {@linkcode ToolError} `configuration` if there is no place for sessions. */
  constructor(served: Served) {
    const { env } = served.host;
    const state = stateFolder(env.XDG_STATE_HOME, env.HOME ?? "");
    if (state === null) {
      throw new ToolError(
        "configuration",
        "No place for sessions: set HOME or XDG_STATE_HOME to an absolute path",
      );
    }
    this.#served = served;
    this.state = state;
    this.known = new KnownRuns(state, served.roots);
  }

  /** Returns a run of the served folders, of which no more is told than that it is there. Throws `not_found`. */
  find(id: string): KnownRun {
    const run = this.known.find(id);
    if (run !== null) return run;
    throw new ToolError("not_found", `There is no run ${JSON.stringify(id.slice(0, 80))}, see GET /runs`);
  }

  /**
   * Returns a run whose texts and files may be read, and that may be gone on with.
   *
   * @throws {ToolError} `not_found`, and `permission_denied` if it was allowed to read more than the server
   */
  async read(id: string): Promise<KnownRun> {
    const run = this.find(id);
    const more = await this.#more(run);
    if (more === null) return run;
    throw new ToolError(
      "permission_denied",
      `Cannot read run ${id} here: ${more}; look at it with bulkhead sessions show ${id}`,
      { details: { id } },
    );
  }

  /** Says which files of a run's workspace the server may read, and show. */
  mayRead(run: KnownRun): (path: string) => boolean {
    const files = this.#files(run.workspace);
    return (path) =>
      refusePath("read", path, files) === null &&
      refusePath("read", realOrNull(path) ?? path, files) === null;
  }

  /**
   * Checks that what a run changed may be written by the server, and so taken back.
   *
   * @throws {ToolError} `permission_denied` for the first path that may not
   */
  checkTakeBack(run: KnownRun): void {
    const files = this.#files(run.workspace);
    for (const record of sessionRecords(this.state, run.id)) {
      for (const path of [record.head.workspace, ...record.paths.keys()]) check(path, files);
    }
  }

  /** Says whether {@linkcode checkTakeBack} refuses nothing. */
  mayTakeBack(run: KnownRun): boolean {
    try {
      this.checkTakeBack(run);
      return true;
    } catch (error) {
      if (error instanceof ToolError) return false;
      throw error;
    }
  }

  /**
   * Checks that a run may be removed: one of the command line belongs to whoever may write in its workspace.
   *
   * @throws {ToolError} `permission_denied`
   */
  checkRemoval(run: KnownRun): void {
    if (run.request === null) check(run.workspace, this.#files(run.workspace));
    this.checkTakeBack(run);
  }

  /**
   * Checks the session of calls: a new one becomes that of the workspace, and one of another folder is refused, as one that
   * does not say whose it is.
   *
   * @param workspace Real path
   * @throws {ToolError} `permission_denied`, `invalid_input` for what is no id
   */
  async checkSession(id: string, workspace: string): Promise<void> {
    checkSession(this.state, id);
    const owner = claimSession(this.state, id, workspace);
    if (owner === workspace) return;
    const run = owner === null ? this.known.find(id) : null;
    if (run?.workspace === workspace) return void await this.read(id);
    throw new ToolError(
      "permission_denied",
      `Cannot use session ${JSON.stringify(id)} in ${
        JSON.stringify(workspace)
      }: it was not begun there by this server; ` +
        "choose another name",
      { details: { session: id, workspace } },
    );
  }

  /** The folder of a run may be gone: then what holds for the served folder around it. */
  #files(workspace: string): FileGrants {
    const { host, manifest, roots } = this.#served;
    const place = realOrNull(workspace) === workspace
      ? workspace
      : roots.find((root) => isInside(root, workspace)) ?? roots[0]!;
    return filesGranted({ ...host, places: { ...host.places, workspace: place } }, manifest.tools);
  }

  /** Texts of a run may hold whatever it was allowed to read. */
  async #more({ id, ends, workspace }: KnownRun): Promise<string | null> {
    if (ends === null) return null;
    const mark = `${ends.info.bytes} ${ends.info.updated}`;
    const looked = this.#looked.get(id);
    if (looked?.mark === mark) return looked.more;
    const lines = await readTrace(tracePath(this.state, id));
    const words = lines.flatMap((line) => line.t === "run" ? line.settings?.flags ?? [] : []);
    const more = this.#moreOf(words, this.#files(workspace));
    this.#looked.set(id, { mark, more });
    return more;
  }

  #moreOf(words: readonly string[], files: FileGrants): string | null {
    const { grants, places: { cwd } } = this.#served.host;
    const real = (path: string) => realOrNull(resolve(cwd, path)) ?? resolve(cwd, path);
    const said = words.map((word) => ({ word, ...readFlagWord(word) }));
    const wide = said.find(({ flag, values }) => {
      const scope =
        { "--allow-all": files.read, "--allow-read": files.read, "--allow-secrets": files.secrets }[flag];
      if (scope === undefined) return false;
      return values === true ? scope !== true : !values.every((path) => covers(scope, real(path)));
    });
    if (wide) {
      return `it was allowed more than this server, ${
        showFlags([wide.word])
      }, which the server can be started with`;
    }
    const denied = grants.deny?.read ?? [];
    if (denied === true) return "this server may read nothing";
    const kept = said.filter(({ flag }) => flag === "--deny-read").flatMap(({ values }) =>
      values === true ? ["/"] : values
    );
    const open = denied.map(real).find((path) => !covers(kept.map(real), path) && covers(files.read, path));
    return open === undefined ? null : `it was not denied what this server is (--deny-read=${open})`;
  }
}

function check(path: string, files: FileGrants): void {
  const refusal = refusePath("write", path, files);
  if (refusal !== null) throw refusalError(refusal, path, files);
}
