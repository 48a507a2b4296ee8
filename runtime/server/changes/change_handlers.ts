import { basename } from "@std/path";
import type { z } from "zod";

import { ToolError } from "../../../schemas/error.ts";
import type { Manifest } from "../../../schemas/manifest.ts";
import { artifactsOf, listArtifacts, readArtifact } from "../../state/kept_artifacts.ts";
import { sessionSources, sourceRow } from "../../state/sessions/read_sources.ts";
import { tracePath } from "../../state/sessions/session_folder.ts";
import { openTrace } from "../../state/sessions/trace_file.ts";
import { takeBackUnfinished } from "../../state/overlay/apply_overlay.ts";
import { shownPlan } from "../../state/undo/shown_plan.ts";
import { holdRecords, sessionRecords, takeBack } from "../../state/undo/undo_store.ts";
import { lstat } from "../../walls/files/file_facts.ts";
import { sessionFolder } from "../../state/tool_state.ts";
import type { HandlerAnswer, Handlers, Request } from "../contract/answer.ts";
import type { KnownRun } from "../runs/known_runs.ts";
import type { RunAccess } from "../runs/run_access.ts";
import type { ChangedQuery, RunFiles, RunSources, UndoResult } from "../api/run_schemas.ts";
import { readChanged } from "./changed_file.ts";
import { runDiff } from "./run_diff.ts";
import { disposition, fileAnswer, SHUT_HEADERS } from "./file_answer.ts";

/** Whose runs they are, and what of them may be read and taken back. */
export type ChangeAccess = Pick<RunAccess, "state" | "read" | "mayRead" | "checkTakeBack">;

/** A run whose files may be looked at. */
interface RunPlace {
  run: KnownRun;
  id: string;
  /** The session's own folder. */
  folder: string;
  /** Absolute, real path. */
  workspace: string;
}

/** What tells of the files of runs. */
export interface ChangeParts {
  manifest: Pick<Manifest, "tools">;
  access: ChangeAccess;
  /** Masks the secrets of a text that may be given away. */
  redact(text: string): string;
}

/** Largest file that is given. */
const BOUNDS = { maxBytes: 128 * 1024 * 1024 };

/** Makes what answers about the files of runs: the operations on `/runs/{id}/files`, `changed`, `diff`, `undo`, `sources`, `export`. */
export function changeHandlers(parts: ChangeParts): Handlers {
  const { access: { state } } = parts;
  const placeOf = async ({ params }: Request): Promise<RunPlace> => {
    const run = await parts.access.read(params.id ?? "");
    return { run, id: run.id, workspace: run.workspace, folder: sessionFolder(state, run.id) };
  };
  return {
    listRunFiles: async (request) => ({ json: await listFiles(parts, await placeOf(request)) }),
    readRunFile: async (request) => {
      const { folder } = await placeOf(request);
      const name = request.params.name ?? "";
      return fileAnswer(basename(name), await readArtifact(artifactsOf(folder), name, BOUNDS));
    },
    readChangedFile: async (request) => {
      const { run, id, workspace } = await placeOf(request);
      const path = request.params.path ?? "";
      const { side = "after" } = request.query as z.infer<typeof ChangedQuery>;
      const records = sessionRecords(state, id);
      const mayRead = parts.access.mayRead(run);
      const file = await readChanged(path, { records, workspace, side, mayRead }, BOUNDS);
      return fileAnswer(basename(path), { ...file, bytes: redacted(file.bytes, parts.redact) });
    },
    diffRun: async (request) => diffAnswer(parts, await placeOf(request)),
    undoRun: async (request) => ({ json: await undo(parts, await placeOf(request)) }),
    runSources: async (request) => {
      const { id } = await placeOf(request);
      const sources = await sessionSources(state, id, parts.manifest);
      return { json: { sources: sources.map(sourceRow) } satisfies z.infer<typeof RunSources> };
    },
    exportRun: async (request) => {
      const { run, id } = await placeOf(request);
      const { exportSession } = await import("../../export/export_session.ts");
      const mayRead = parts.access.mayRead(run);
      const page = new TextEncoder().encode(await exportSession(id, { ...parts, state, mayRead }));
      return {
        headers: {
          ...SHUT_HEADERS,
          "content-disposition": disposition("attachment", `bulkhead-${id}.html`),
        },
        bytes: { bytes: page, type: "text/html; charset=utf-8" },
      };
    },
  };
}

async function listFiles(
  { access }: ChangeParts,
  { run, id, folder }: RunPlace,
): Promise<z.infer<typeof RunFiles>> {
  const { changes, waits } = await runDiff(access.state, id, access.mayRead(run));
  return {
    changed: changes.map(({ path, status, added, removed }) => ({ path, status, added, removed })),
    artifacts: listArtifacts(artifactsOf(folder)),
    ...waits && { waits },
  };
}

async function diffAnswer({ access, redact }: ChangeParts, { run, id }: RunPlace): Promise<HandlerAnswer> {
  const { changes } = await runDiff(access.state, id, access.mayRead(run));
  const text = redact(changes.map(({ diff }) => diff).join(""));
  return { bytes: { bytes: new TextEncoder().encode(text), type: "text/x-diff; charset=utf-8" } };
}

/** Bytes that are no text stay as they are. */
function redacted(bytes: Uint8Array<ArrayBuffer>, redact: (text: string) => string): Uint8Array<ArrayBuffer> {
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    const masked = redact(text);
    return masked === text ? bytes : new TextEncoder().encode(masked);
  } catch (error) {
    if (error instanceof TypeError) return bytes;
    throw error;
  }
}

/** How long a run may still have its trace after it has told its end, in milliseconds. */
const CLOSING_MS = 10_000;
/** The same for one that is at work, as far as it is known. */
const HELD_MS = 500;

/** As `bulkhead undo` does it for a whole session. */
async function undo(
  { access }: ChangeParts,
  { run, id, workspace }: RunPlace,
): Promise<z.infer<typeof UndoResult>> {
  const { state } = access;
  access.checkTakeBack(run);
  await takeBackUnfinished(state, workspace);
  try {
    // Nothing is taken back while the run is at work, also if it has changed nothing yet since it was resumed.
    const trace = tracePath(state, id);
    using _held = lstat(trace) === null
      ? null
      : await openTrace(trace, { redact: (text) => text, waitMs: run.ends?.outcome ? CLOSING_MS : HELD_MS });
    const records = sessionRecords(state, id);
    if (records.length === 0) {
      throw new ToolError("invalid_input", `Run "${id}" has no changes to undo, or they are undone already`);
    }
    using held = await holdRecords(records);
    access.checkTakeBack(run);
    const { warnings, ...plan } = await takeBack(held);
    const { done, refused } = shownPlan(plan, records[0]!.head.workspace);
    return {
      done: done.map(({ path, action }) => ({ path, action })),
      refused: refused.map(({ path, refused }) => ({ path, reason: refused ?? "" })),
      warnings,
    };
  } catch (error) {
    if (!(error instanceof ToolError) || error.code !== "conflict") throw error;
    throw new ToolError(
      "conflict",
      `Run "${id}" is at work: cancel it, or wait for its end, and undo it then`,
      {
        cause: error,
      },
    );
  }
}
