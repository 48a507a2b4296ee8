import type { ToolState } from "../state/tool_state.ts";
import type { ProgramCall, ProgramHost } from "../programs/process/program_host.ts";
import { ToolError } from "../../schemas/error.ts";
import type { ArtifactWriter } from "../state/artifact_writer.ts";
import type { PersonAsk } from "../rooms/asks/person.ts";
import type { DocumentAsk } from "../rooms/asks/documents.ts";
import type { Ask } from "../rooms/asks/ask.ts";

/** Longest value of a session, as JSON; main holds it. */
const MAX_STATE_CHARS = 64 * 1024 * 1024;

/** What the answers come from. */
export interface AnswerSources {
  session: ToolState;
  programs: ProgramHost;
  /** The call that asks: it decides whose state and programs are meant, not the room. */
  call: ProgramCall;
  artifacts: ArtifactWriter;
  /** Has a reader take a file apart; `null` for tools that read no files. */
  readDocument: ((ask: DocumentAsk) => Promise<unknown>) | null;
  /** The tool declared that it asks a person. */
  mayAsk: boolean;
  /** Takes a question to a person; `null` if nobody is there. */
  askPerson: ((ask: PersonAsk) => Promise<string | null>) | null;
  /** The tool declared that it needs `run`. */
  mayRun: boolean;
  /** The call is only explained: nothing is started for it and nothing kept. */
  explains: boolean;
}

/**
 * Answers what a room asks in the middle of a call.
 *
 * @throws {ToolError} As the session and the program host do
 */
export async function answerAsk(ask: Ask, sources: AnswerSources): Promise<unknown> {
  const { session, call, explains } = sources;
  if (explains && ask.kind !== "state.get" && ask.kind !== "program.check") {
    throw new Error(`a tool of ${call.toolset} asked for something although its call is only explained`);
  }
  if (ask.kind === "state.get") return await session.get(call.toolset, ask.key);
  if (ask.kind === "state.set") {
    boundState(ask.value);
    return await session.set(call.toolset, ask.key, ask.value);
  }
  if (ask.kind === "artifact.write") return await sources.artifacts.write(ask.name, ask.bytes);
  if (ask.kind === "user.ask") return await answerQuestion(ask, sources);
  if (ask.kind !== "document.read") return await answerProgram(ask, sources);
  if (sources.readDocument === null) {
    throw new Error(
      `a tool of ${call.toolset} asked for a document without having declared that it needs read`,
    );
  }
  return await sources.readDocument(ask);
}

async function answerQuestion(
  ask: PersonAsk,
  { call, mayAsk, askPerson }: AnswerSources,
): Promise<string | null> {
  if (!mayAsk) {
    throw new Error(`a tool of ${call.toolset} asked a person without having declared that it does`);
  }
  return await askPerson?.(ask) ?? null;
}

function boundState(value: unknown): void {
  const chars = JSON.stringify(value)?.length ?? 0;
  if (chars <= MAX_STATE_CHARS) return;
  throw new ToolError(
    "limit_exceeded",
    `A session keeps at most ${MAX_STATE_CHARS} characters of JSON for one key, this value has ${chars}`,
  );
}

type ProgramAsk = Extract<Ask, { kind: `program.${string}` }>;

async function answerProgram(
  ask: ProgramAsk,
  { programs, call, mayRun }: AnswerSources,
): Promise<unknown> {
  if (!mayRun) {
    throw new Error(
      `a tool of ${call.toolset} asked for a program without having declared that it needs run`,
    );
  }
  switch (ask.kind) {
    case "program.check":
      return await programs.check(ask.spec, { ...call, vouched: ask.vouched });
    case "program.run":
      return await programs.run(ask.run, { ...call, vouched: ask.vouched });
    case "program.open":
      return await programs.open(ask.spec, { ...call, vouched: ask.vouched });
    case "program.write":
      return await programs.write(ask.id, ask.data, call);
    case "program.read":
      return await programs.read(ask.id, ask.read, call);
    case "program.signal":
      return await programs.signal(ask.id, ask.signal, call);
    case "program.close":
      return await programs.close(ask.id, ask, call);
    case "program.screen":
      return await programs.screen(ask.id, call);
    case "program.keepScreen":
      return await programs.keepScreen(ask.id, ask, call);
  }
}
