import { z } from "zod";

import { CLIENT_HEADER, type Operation } from "./operation.ts";
import {
  AnswerRun,
  ChangedQuery,
  ResumeRun,
  RunDetail,
  RunFiles,
  RunInfo,
  RunList,
  RunQuery,
  RunSources,
  StartRun,
  UndoResult,
} from "./run_schemas.ts";

const tag = "runs";
const detail = { description: "The run.", json: RunDetail };

/** Runs of agents. */
export const RUN_OPERATIONS: readonly Operation[] = [
  {
    ...{ id: "startRun", method: "POST", path: "/runs", tag, body: StartRun },
    summary: "Starts a run, or puts it into the queue.",
    answer: {
      status: 201,
      description: "The run, which goes on without the client.",
      json: RunDetail,
      headers: CLIENT_HEADER,
    },
  },
  {
    ...{ id: "listRuns", method: "GET", path: "/runs", tag, query: RunQuery },
    summary: "Lists runs, the one that began last first.",
    answer: { description: "The runs.", json: RunList },
  },
  {
    ...{ id: "getRun", method: "GET", path: "/runs/{id}", tag },
    summary: "Tells how a run stands.",
    answer: detail,
  },
  {
    ...{ id: "removeRun", method: "DELETE", path: "/runs/{id}", tag },
    summary: "Ends a run and takes its session away; files that it changed stay as they are.",
    answer: { description: "How it stood.", json: RunInfo },
  },
  {
    ...{ id: "followRun", method: "GET", path: "/runs/{id}/events", tag },
    query: z.strictObject({
      after: z.coerce.number().int().min(0).optional()
        .describe("Number of the last event that is not told. Last-Event-ID stands above it. Default: 0."),
    }),
    summary: "Tells the events of a run, from the first one or behind Last-Event-ID, as they come.",
    answer: {
      description: "Server-sent events.",
      type: "text/event-stream",
      headers: { "Last-Event-ID": "Number of the last event that the client has." },
      empty: "There are no more events, and there will be none unless the run is gone on with.",
    },
  },
  {
    ...{ id: "answerRun", method: "POST", path: "/runs/{id}/answer", tag, body: AnswerRun },
    summary: "Answers a question of the run, or decides about a call that needs consent.",
    answer: detail,
  },
  {
    ...{ id: "cancelRun", method: "POST", path: "/runs/{id}/cancel", tag },
    summary: "Stops a run; it can be resumed.",
    answer: detail,
  },
  {
    ...{ id: "resumeRun", method: "POST", path: "/runs/{id}/resume", tag, body: ResumeRun },
    summary: "Goes on with a run that ended, in the same conversation.",
    answer: { ...detail, headers: CLIENT_HEADER },
  },
  {
    ...{ id: "listRunFiles", method: "GET", path: "/runs/{id}/files", tag },
    summary: "Lists the files that the run changed, and those that it keeps with its session.",
    answer: { description: "The files.", json: RunFiles },
  },
  {
    ...{ id: "readRunFile", method: "GET", path: "/runs/{id}/files/{name+}", tag },
    summary: "Gives a file that the run keeps with its session, such as a picture.",
    answer: { description: "Its bytes.", type: "application/octet-stream" },
  },
  {
    ...{ id: "readChangedFile", method: "GET", path: "/runs/{id}/changed/{path+}", tag },
    query: ChangedQuery,
    summary: "Gives a file that the run made or changed, as it is now or was before.",
    answer: { description: "Its bytes.", type: "application/octet-stream" },
  },
  {
    ...{ id: "diffRun", method: "GET", path: "/runs/{id}/diff", tag },
    summary: "Shows how the files that the run changed differ from before it, as a unified diff.",
    answer: { description: "The diff; empty if nothing was changed.", type: "text/x-diff" },
  },
  {
    ...{ id: "undoRun", method: "POST", path: "/runs/{id}/undo", tag },
    summary: "Puts back what was there before the run; what somebody changed since is left as it is.",
    answer: { description: "What was put back, and what was left as it is.", json: UndoResult },
  },
  {
    ...{ id: "runSources", method: "GET", path: "/runs/{id}/sources", tag },
    summary: "Lists the sources that the run has found, by number.",
    answer: { description: "The sources.", json: RunSources },
  },
  {
    ...{ id: "exportRun", method: "GET", path: "/runs/{id}/export", tag },
    summary: "Gives the run as one HTML file that needs nothing else.",
    answer: { description: "The file.", type: "text/html" },
  },
];
