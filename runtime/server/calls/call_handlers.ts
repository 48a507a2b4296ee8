import type { z } from "zod";

import { ToolError } from "../../../schemas/error.ts";
import type { ManifestEntry } from "../../../schemas/manifest.ts";
import { answerBatchCall, answerLine } from "../../calls/batch/answer_call.ts";
import { judgeResult } from "../../calls/batch/expect.ts";
import { type BatchCall, parseBatch } from "../../calls/batch/batch_calls.ts";
import { callTool } from "../../calls/call_tool.ts";
import type { Catalog, CatalogEntry } from "../../calls/catalog/catalog.ts";
import { findTool, noteOnName } from "../../calls/catalog/find_tool.ts";
import { schedule } from "../../calls/schedule.ts";
import type { Host } from "../../host/open_host.ts";
import type { HandlerAnswer, Handlers, Request } from "../contract/answer.ts";
import type { BatchBody, CallBody } from "../api/call_operations.ts";
import type { CallMachines } from "./call_machines.ts";

/** Makes what answers calls of tools. */
export function callHandlers(machines: CallMachines): Handlers {
  return {
    async listTools({ signal }) {
      const tools = await machines.use(
        {},
        signal,
        (_host, { entries }) => Promise.resolve(entries.map(shown)),
      );
      return { json: { tools } };
    },
    callTool: (request: Request<unknown, z.infer<typeof CallBody>>) => answerCall(machines, request),
    runBatch: (request) => answerBatch(machines, request),
  };
}

function shown({ tool }: { tool: ManifestEntry }) {
  const { name, full_name, description, input_schema, needs, read_only, parallel } = tool;
  return { name, full_name, description, input_schema, needs, read_only, parallel };
}

async function answerCall(
  machines: CallMachines,
  { params, body, headers, signal }: Request<unknown, z.infer<typeof CallBody>>,
): Promise<HandlerAnswer> {
  const { name: asked = "" } = params;
  return await machines.use(body, signal, async (host, catalog) => {
    const entry = find(asked, catalog);
    const machine = { ...host, telemetry: host.telemetry?.under(headers.traceparent) };
    const json = await callTool(entry, body.arguments ?? {}, { machine, signal });
    const note = noteOnName(catalog, asked, entry);
    if (note !== null) json.warnings.unshift(note);
    return { json };
  });
}

/** The name is a part of the address. */
function find(name: string, catalog: Catalog): CatalogEntry {
  try {
    return findTool(catalog, name);
  } catch (error) {
    if (!(error instanceof ToolError) || error.details.unknown_tool === undefined) throw error;
    throw new ToolError("not_found", error.message, { details: error.details });
  }
}

/** The answer begins at once; what is wrong with a place is told before it. */
async function answerBatch(
  machines: CallMachines,
  { body, headers: { traceparent }, signal }: Request<unknown, z.infer<typeof BatchBody>>,
): Promise<HandlerAnswer> {
  const opened = Promise.withResolvers<AsyncIterable<string>>();
  const done = Promise.withResolvers<void>();
  // The host stays open until the last line was taken.
  const used = machines.use(body, signal, async (host, catalog) => {
    opened.resolve(linesOf(body, { host, catalog, traceparent, signal, done: () => done.resolve() }));
    signal.addEventListener("abort", () => done.resolve(), { once: true });
    await done.promise;
  });
  used.catch(opened.reject);
  return { stream: { pieces: await opened.promise, type: "application/x-ndjson" } };
}

interface Batch {
  host: Host;
  catalog: Catalog;
  traceparent: string | undefined;
  signal: AbortSignal;
  done(): void;
}

async function* linesOf(
  { calls, fail_fast, session }: z.infer<typeof BatchBody>,
  { host, catalog, traceparent, signal, done }: Batch,
): AsyncGenerator<string> {
  const stop = new AbortController();
  const all = AbortSignal.any([signal, stop.signal]);
  const told = host.telemetry?.under(traceparent).run({ kind: "batch", session: session ?? null });
  const machine = { ...host, catalog, telemetry: told?.within };
  let isWell = true;
  const running = new Set<Promise<unknown>>();
  const answer = async (parsed: BatchCall) => {
    const { call, result } = await answerBatchCall(parsed, machine, { signal: all });
    return { call, ...await judgeResult(result, { expect: call.expect, check: false }) };
  };
  const answered = schedule(parseBatch(toLines(calls, all), catalog), {
    maxParallel: host.line.maxParallel,
    run(parsed) {
      const answering = answer(parsed);
      running.add(answering);
      return answering.finally(() => running.delete(answering));
    },
  });
  try {
    for await (const { call, ...judged } of answered) {
      yield answerLine(call, judged);
      isWell &&= judged.met;
      if (!judged.met && fail_fast) {
        stop.abort(new ToolError("cancelled", "An earlier call failed (fail_fast)"));
      }
    }
  } finally {
    stop.abort(new ToolError("cancelled", "Nobody takes the results any more"));
    await Promise.allSettled(running);
    told?.end({ termination: isWell ? "completed" : "failed" });
    done();
  }
}

async function* toLines(calls: readonly unknown[], signal: AbortSignal): AsyncGenerator<string> {
  for (const call of calls) {
    if (signal.aborted) return;
    yield JSON.stringify(call);
  }
}
