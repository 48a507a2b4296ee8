import type { AccessKind } from "../../../../schemas/access.ts";
import type { CallId } from "../../../../schemas/agent/events.ts";
import type { AskKind, NumberedEvent, ServedEvent } from "../../runs/runs.ts";
import type { Item, ItemBody, ShownCall, Transcript } from "./transcript.ts";

/** What is changed while a batch of events is added; made anew for each batch, so that an older transcript stays as it was. */
interface Draft {
  items: Item[];
  open: Map<CallId, number>;
  asked: Map<string, AskKind>;
  rest: Pick<Transcript, "plan" | "ahead" | "turn">;
  /** Number and time of the event that is added. */
  n: number;
  time: string;
}

type EventOf<T extends ServedEvent["type"]> = Extract<ServedEvent, { type: T }>;

/** Adds events to a transcript; those that it has already are left out. */
export function addEvents(transcript: Transcript, events: readonly NumberedEvent[]): Transcript {
  const fresh = events.filter(({ n }) => n > transcript.last);
  const newest = fresh.at(-1);
  if (!newest) return transcript;
  const { plan, ahead, turn } = transcript;
  const draft: Draft = {
    items: [...transcript.items],
    open: new Map(transcript.open),
    asked: new Map(transcript.asked),
    rest: { plan, ahead, turn },
    n: 0,
    time: "",
  };
  for (const { n, time, event } of fresh) {
    draft.n = n;
    draft.time = time;
    addEvent(draft, event);
  }
  const { items, open, asked, rest } = draft;
  return { ...rest, items, open, asked, last: newest.n };
}

function addEvent(draft: Draft, event: ServedEvent): void {
  switch (event.type) {
    case "prompt":
      closeText(draft);
      return event.text === "" ? undefined : add(draft, { kind: "said", text: event.text });
    case "run.queued":
      draft.rest.ahead = event.ahead;
      return;
    case "run.start":
      draft.rest.ahead = null;
      if (draft.items.some(({ kind }) => kind === "end")) note(draft, "info", "The run goes on.");
      draft.open.clear();
      return;
    case "turn.start":
      draft.rest.turn = event.n;
      return closeText(draft);
    case "plan":
      draft.rest.plan = event.plan;
      return;
    case "text.delta":
      return addText(draft, event);
    case "question":
      draft.asked.set(event.question.id, event.question.kind);
      return closeText(draft);
    case "question.end":
      return addAnswer(draft, event);
    case "run.end":
      return addEnd(draft, event);
    default:
      return "id" in event ? addToCall(draft, event) : addNote(draft, event);
  }
}

function addText(draft: Draft, { text, restart }: EventOf<"text.delta">): void {
  const last = draft.items.at(-1);
  if (last?.kind === "text" && last.isOpen) {
    draft.items[draft.items.length - 1] = { ...last, text: restart ? text : last.text + text };
  } else if (text !== "") add(draft, { kind: "text", text, isOpen: true });
}

function closeText(draft: Draft): void {
  const last = draft.items.at(-1);
  if (last?.kind !== "text" || !last.isOpen) return;
  if (last.text.trim() === "") draft.items.pop();
  else draft.items[draft.items.length - 1] = { ...last, isOpen: false };
}

const CONSENTS: Readonly<Record<string, string>> = {
  once: "Allowed once.",
  run: "Allowed in this run.",
  no: "Refused.",
};

function addAnswer(draft: Draft, { id, answer }: EventOf<"question.end">): void {
  const isConsent = draft.asked.get(id) === "consent";
  draft.asked.delete(id);
  if (answer === null) return note(draft, "info", "Nobody waits for an answer any more.");
  note(draft, "info", (isConsent && CONSENTS[answer]) || `Answered: ${answer}`);
}

function addEnd(draft: Draft, event: EventOf<"run.end">): void {
  closeText(draft);
  draft.open.clear();
  draft.rest.ahead = null;
  const { termination_reason: reason, answer = null, changed = [], refused = [] } = event;
  const last = draft.items.findLast(({ kind }) => kind === "text" || kind === "end");
  const isSaid = last?.kind === "text" && answer !== null && last.text.trim() === answer.trim();
  add(draft, { kind: "end", end: { reason, answer: isSaid ? null : answer, changed, refused } });
}

type CallEvent = Extract<ServedEvent, { id: CallId }>;

function addToCall(draft: Draft, event: CallEvent): void {
  if (event.type === "tool.start") {
    closeText(draft);
    draft.open.set(event.id, draft.items.length);
    return add(draft, { kind: "call", call: newCall(event, draft.time) });
  }
  const at = draft.open.get(event.id);
  const item = at === undefined ? undefined : draft.items[at];
  if (at === undefined || item?.kind !== "call") return;
  draft.items[at] = { ...item, call: changeCall(item.call, event) };
  if (event.type === "tool.end") draft.open.delete(event.id);
}

function newCall({ id, tool, arguments: input }: EventOf<"tool.start">, started: string): ShownCall {
  return {
    ...{ id, tool, input, started },
    ...{ progress: null, programs: [], refusals: [], result: null, isRecorded: false },
  };
}

function changeCall(call: ShownCall, event: CallEvent): ShownCall {
  switch (event.type) {
    case "tool.progress": {
      const { type: _, id: __, ...progress } = event;
      return { ...call, progress };
    }
    case "tool.end":
      return { ...call, result: event.result, isRecorded: event.verdict === "recorded", progress: null };
    case "program.start": {
      const { program, argv, command = argv.join(" "), sandboxed } = event;
      return { ...call, programs: [...call.programs, { program, words: command, sandboxed, end: null }] };
    }
    case "program.end":
      return { ...call, programs: call.programs.map((other) => endProgram(other, event)) };
    case "permission":
      return event.decision === "refused"
        ? { ...call, refusals: [...call.refusals, refusalOf(event)] }
        : call;
    default:
      return call;
  }
}

function endProgram<Program extends { program: number }>(
  program: Program,
  { program: number, exit_code, reason }: EventOf<"program.end">,
): Program {
  if (program.program !== number) return program;
  return { ...program, end: reason === "exited" ? `exit code ${exit_code}` : reason };
}

const VERBS: Readonly<Record<AccessKind, string>> = {
  read: "read",
  write: "write",
  net: "reach",
  run: "start",
};

function refusalOf(event: Extract<EventOf<"permission">, { decision: "refused" }>) {
  if ("rule" in event) return { text: `Forbidden by the rule ${event.rule}`, flag: null };
  const text = `No permission to ${VERBS[event.kind]} ${event.target}`;
  const isDenied = event.flag.startsWith("--deny");
  return isDenied
    ? { text: `${text}: it is denied, by the server or for this run`, flag: null }
    : { text, flag: event.flag };
}

function addNote(draft: Draft, event: ServedEvent): void {
  if (event.type === "warning") note(draft, "warning", event.message);
  if (event.type === "retry") {
    const seconds = Math.round(event.wait_ms / 100) / 10;
    note(draft, "warning", `${event.message}. Try ${event.n} of ${event.max} in ${seconds} s.`);
  }
  if (event.type === "compact") {
    note(
      draft,
      "info",
      `Older turns were summed up: ${event.before_tokens} to ${event.after_tokens} tokens.`,
    );
  }
  if (event.type === "tools.added") note(draft, "info", `New tools: ${event.tools.join(", ")}`);
  if (event.type === "attached") note(draft, "info", `Attached: ${event.path}`);
}

function note(draft: Draft, tone: "info" | "warning", text: string): void {
  closeText(draft);
  add(draft, { kind: "note", tone, text });
}

function add(draft: Draft, body: ItemBody): void {
  draft.items.push({ ...body, key: draft.n });
}
