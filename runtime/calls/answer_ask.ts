import { ToolError } from "../../schemas/error.ts";
import type { ManifestEntry } from "../../schemas/manifest.ts";
import type { ProgramCall } from "../programs/process/program_host.ts";
import type { Ask } from "../rooms/asks/ask.ts";
import type { ArtifactWriter } from "../state/artifact_writer.ts";
import type { KeptAttributes } from "../walls/owned/kept_attributes.ts";
import type { CarrierOptions } from "./catalog/carrier.ts";

/** The call of the room that asks. It decides which state and programs are meant; the room does not. */
export interface AskingCall {
  tool: ManifestEntry;
  /** The call is only explained: nothing is started or kept for it. */
  explains: boolean;
  /**
   * The same call, as the programs' host knows it. Its signal aborts when the call has ended, for any reason.
   */
  program: ProgramCall;
  artifacts: ArtifactWriter;
  /** Whom the files belonged to that it changes. @default nobody asks */
  kept?: KeptAttributes;
  onProgress: CarrierOptions["onProgress"];
  onQuestion: CarrierOptions["onQuestion"];
}

/** Answers one kind of question. Throws `ToolError` to refuse it. */
export type Answer<Kind extends Ask["kind"]> = (
  ask: Extract<Ask, { kind: Kind }>,
  call: AskingCall,
) => Promise<unknown>;

/** The answers by kind of question; each service adds its own. Other kinds are refused. */
export type Answers = { readonly [Kind in Ask["kind"]]?: Answer<Kind> };

/** Questions that change nothing: all that the explanation of a call may ask. */
const ASKED_TO_EXPLAIN: readonly Ask["kind"][] = ["state.get", "program.check"];

/**
 * Answers what a room asks in the middle of a call.
 *
 * @throws {ToolError} As the services do
 */
export async function answerAsk(ask: Ask, call: AskingCall, answers: Answers): Promise<unknown> {
  const { tool, explains } = call;
  const answer = Object.hasOwn(answers, ask.kind) ? answers[ask.kind] : undefined;
  if (answer === undefined) {
    throw new ToolError("internal", `${tool.full_name} asked for ${ask.kind}, which nothing here answers`);
  }
  if (explains && !ASKED_TO_EXPLAIN.includes(ask.kind)) {
    throw new Error(`a tool of ${tool.toolset} asked for something although its call is only explained`);
  }
  // The table's entry for a kind takes questions of that kind.
  return await (answer as (ask: Ask, call: AskingCall) => Promise<unknown>)(ask, call);
}
