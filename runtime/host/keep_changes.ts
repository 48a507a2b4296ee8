import { ToolError } from "../../schemas/error.ts";
import type { Carrier } from "../calls/catalog/carrier.ts";
import type { UndoRecord } from "../state/undo/undo_record.ts";
import type { LaunchWatch } from "../programs/launch/watched_launcher.ts";

/** Keeps what the calls of a run change. It is made with the first call that can change something. */
export interface ChangeKeeper extends AsyncDisposable {
  /** Keeps what is at a path. */
  keep(path: string): Promise<void>;
  watch: LaunchWatch;
  /** Returns a carrier that notes at the end of each call what the call left. */
  keepingCarrier(carrier: Carrier): Carrier;
}

/** What a keeper needs to know of its run. */
export interface KeptRun {
  /** Where bulkhead keeps what outlives a run. */
  state: string;
  session: string;
  /** Absolute, real path. */
  workspace: string;
  /** Tells the user what takes long. */
  warn(message: string): void;
}

/** When keeping takes longer than this, the user is told, in milliseconds. */
const PATIENCE_MS = 1_000;

/** Makes the keeper of a run. Needs `read`, `write` of the state folder, and `run`. */
export function keepChanges({ state, session, workspace, warn }: KeptRun): ChangeKeeper {
  let record: Promise<UndoRecord> | undefined;
  const open = async () => {
    const { beginRecord, removeOldRecords } = await import("../state/undo/undo_store.ts");
    await removeOldRecords(state);
    return beginRecord(state, { session, workspace, time: new Date().toISOString(), by: "run" });
  };
  const opened = () => record ??= open();
  return {
    keep: async (path) => await (await opened()).keep([path]),
    watch: {
      async before(writes, shut) {
        const tell = () => warn("keeping what programs may change, so that it can be undone ...");
        const timer = setTimeout(tell, PATIENCE_MS);
        try {
          return await (await opened()).beginProgram(writes, shut);
        } catch (error) {
          // A program may run though its changes cannot be undone; the user is told.
          if (!(error instanceof ToolError)) throw error;
          return `What programs change cannot be undone: ${error.message}`;
        } finally {
          clearTimeout(timer);
        }
      },
      after: async ({ isEnd }) => await (await opened()).endProgram({ isEnd }),
    },
    keepingCarrier: (carrier) => ({
      ...carrier,
      async call(tool, input, options) {
        const end = await carrier.call(tool, input, options);
        if (tool.needs.write !== undefined) await (await record)?.settle();
        return end;
      },
    }),
    [Symbol.asyncDispose]: async () => await (await record)?.close(),
  };
}
