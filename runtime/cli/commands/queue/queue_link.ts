import { resolve } from "@std/path";

import { ToolError } from "../../../../schemas/error.ts";
import { readQueueUrl, shownQueue } from "../../../queue/address/read_queue_url.ts";
import type { QueueEngine } from "../../../queue/contract/engine.ts";
import { openEngine } from "../../../queue/open_engine.ts";
import { namedFileError } from "../../../walls/files/system_error.ts";
import { onOneLine } from "../../../text/strip_controls.ts";
import type { Options } from "../../args/options/option_table.ts";
import { type Io, printError, userFolder } from "../../io/io.ts";

/**
 * Opens the queue that the command line names. Needs `net` for its nodes, and `read` for files with its credentials.
 *
 * @throws {ToolError} `invalid_input`, `unauthenticated`, `external_failure`
 */
export async function openQueue(url: string | undefined, options: Options, io: Io): Promise<QueueEngine> {
  if (url === undefined) throw new ToolError("invalid_input", "Name the queue: --queue nats://HOST:4222");
  const { queueCa, queueCreds, queueReplicas, quiet } = options;
  const settings = readQueueUrl(url, {
    env: io.env,
    ca: readText(queueCa, io),
    creds: readText(queueCreds, io),
    replicas: queueReplicas,
  });
  let wasUp = true;
  return await openEngine(settings, {
    signal: io.interrupt,
    onLink({ isUp, text }) {
      if (isUp === wasUp || quiet) return;
      wasUp = isUp;
      const said = isUp
        ? `the queue is back (${text})`
        : `the queue ${shownQueue(url)} is gone (${text}): waiting for it`;
      void printError(io, `bulkhead: ${onOneLine(said)}\n`);
    },
  });
}

function readText(file: string | undefined, io: Io): string | undefined {
  if (file === undefined) return undefined;
  const path = resolve(userFolder(io), file);
  try {
    return Deno.readTextFileSync(path);
  } catch (error) {
    throw namedFileError(error, "read", path);
  }
}
