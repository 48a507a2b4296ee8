import { redactValue } from "../../text/secrets/redact.ts";
import { ToolError } from "../../../schemas/error.ts";
import type { ModelAnswered, ModelAsked, RunBegun, RunEnded, Telemetry } from "../telemetry.ts";
import type { AttributeValue, Span } from "./protocol.ts";
import type { Sampler } from "./sampler.ts";
import { newId, readTraceparent, type TracePlace } from "./trace_place.ts";

/** Longest text of an attribute, in letters. */
const MOST_TEXT = 16_384;

/** What spans are made with. */
export interface SpanParts {
  sampler: Sampler;
  tellsContents: boolean;
  /** Takes a span that has ended. */
  take(span: Span): void;
  /** How many were lost on their way. */
  lost(): number;
}

/** What a span is made of at its beginning. */
interface Begun extends Pick<Span, "name" | "kind"> {
  attributes: Attributes;
}

/** Attributes, as far as they are known. */
type Attributes = Readonly<Record<string, AttributeValue | undefined>>;

/** How a span ended. */
interface Ended {
  attributes?: Attributes;
  /** What kind of error it was, `null` for none. */
  error: string | null;
}

/** A span that goes on. */
interface OpenSpan {
  place: TracePlace;
  end(how: Ended): void;
}

/** Makes spans of the work of a process, named as the conventions for generative AI name them. */
export class SpanTelemetry implements Telemetry {
  readonly #parts: SpanParts;
  readonly #parent: TracePlace | null;

  /** @param parent What all spans lie in, `null` if each begins a trace */
  constructor(parts: SpanParts, parent: TracePlace | null) {
    this.#parts = parts;
    this.#parent = parent;
  }

  call({ tool, id, input, redact }: Parameters<Telemetry["call"]>[0]): ReturnType<Telemetry["call"]> {
    const contents = this.#parts.tellsContents;
    const { end } = this.#begin({
      name: `execute_tool ${tool}`,
      kind: "internal",
      attributes: {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": tool,
        "gen_ai.tool.type": "function",
        "gen_ai.tool.call.id": id,
        "gen_ai.tool.call.arguments": contents ? shown(input, redact) : undefined,
      },
    });
    return ({ error, text, metadata }) =>
      end({
        attributes: {
          "bulkhead.place": metadata.place ?? undefined,
          "gen_ai.tool.call.result": contents ? shown(text, redact) : undefined,
        },
        error: error?.code ?? null,
      });
  }

  ask({ model, provider, request, redact }: ModelAsked): (answered: ModelAnswered) => void {
    const contents = this.#parts.tellsContents;
    const { end } = this.#begin({
      name: `chat ${model}`,
      kind: "client",
      attributes: {
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": providerName(provider),
        "gen_ai.request.model": model,
        "gen_ai.request.max_tokens": request.maxOutputTokens,
        "gen_ai.output.type": request.form ? "json" : "text",
        "bulkhead.purpose": request.purpose,
        "gen_ai.input.messages": contents ? shown(request.messages, redact) : undefined,
      },
    });
    return (answered) => end(endOfAsk(answered, contents ? redact : null));
  }

  run({ kind, session, agent, model }: RunBegun): ReturnType<Telemetry["run"]> {
    const isAgent = kind === "agent";
    const { place, end } = this.#begin({
      name: isAgent ? `invoke_agent ${agent ?? "default"}` : "batch",
      kind: "internal",
      attributes: {
        "gen_ai.operation.name": isAgent ? "invoke_agent" : undefined,
        "gen_ai.agent.name": isAgent ? agent ?? "default" : undefined,
        "gen_ai.provider.name": model && providerName(model.provider),
        "gen_ai.request.model": model?.model,
        "gen_ai.conversation.id": session ?? undefined,
      },
    });
    return {
      within: new SpanTelemetry(this.#parts, place),
      end: (how) => end(endOfRun(how)),
    };
  }

  room(): () => void {
    return () => {};
  }

  under(traceparent: string | undefined): Telemetry {
    const parent = readTraceparent(traceparent);
    return parent === null ? this : new SpanTelemetry(this.#parts, parent);
  }

  lost(): number {
    return this.#parts.lost();
  }

  #begin({ name, kind, attributes }: Begun): OpenSpan {
    const { sampler, take } = this.#parts;
    const traceId = this.#parent?.traceId ?? newId(16);
    const place = { traceId, spanId: newId(8), isSampled: sampler(traceId, this.#parent) };
    const begun = now();
    const end = ({ attributes: more = {}, error }: Ended) => {
      if (!place.isSampled) return;
      const all: Attributes = { ...attributes, ...more, "error.type": error ?? undefined };
      const known = Object.entries(all).filter((one): one is [string, AttributeValue] =>
        one[1] !== undefined
      );
      take({
        ...{ traceId, spanId: place.spanId, parentId: this.#parent?.spanId ?? null, name, kind },
        ...{ times: [begun, now()], attributes: Object.fromEntries(known), isError: error !== null },
      });
    };
    return { place, end };
  }
}

function endOfAsk(answered: ModelAnswered, redact: ((text: string) => string) | null): Ended {
  if ("error" in answered) {
    const { error } = answered;
    return { error: error instanceof ToolError ? error.code : "internal" };
  }
  const { finish, usage, content, tool_calls } = answered.reply;
  return {
    attributes: {
      "gen_ai.response.finish_reasons": [finish],
      ...usage && {
        "gen_ai.usage.input_tokens": usage.input_tokens,
        "gen_ai.usage.output_tokens": usage.output_tokens,
        "gen_ai.usage.cache_read.input_tokens": usage.cached_tokens,
      },
      "gen_ai.output.messages": redact === null
        ? undefined
        : shown([{ role: "assistant", content, tool_calls }], redact),
    },
    error: null,
  };
}

/** A run that stopped at a limit has failed as well; one that waits for its person has not. */
function endOfRun({ termination, usage }: RunEnded): Ended {
  const isWell = termination === "completed" || termination === "waiting_for_clarification";
  return {
    attributes: {
      "bulkhead.termination": termination,
      "gen_ai.usage.input_tokens": usage?.input_tokens,
      "gen_ai.usage.output_tokens": usage?.output_tokens,
    },
    error: isWell ? null : termination,
  };
}

/** Names that the conventions have for providers. */
const PROVIDERS: Readonly<Record<string, string>> = {
  gemini: "gcp.gemini",
  google: "gcp.gemini",
  mistral: "mistral_ai",
  xai: "x_ai",
};

function providerName(provider: string): string {
  return PROVIDERS[provider] ?? provider;
}

/** A text, or JSON, with its secrets masked, cut if it is long. */
function shown(value: unknown, redact: (text: string) => string): string {
  const masked = redactValue(value, redact);
  const text = typeof masked === "string" ? masked : JSON.stringify(masked) ?? "";
  return text.length > MOST_TEXT ? `${text.slice(0, MOST_TEXT)}…` : text;
}

/** Milliseconds since 1970 on a clock that only goes forward. */
function now(): number {
  return performance.timeOrigin + performance.now();
}
