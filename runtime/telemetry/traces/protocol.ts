import type { CollectorSettings } from "./otel_settings.ts";

/** What an attribute holds. */
export type AttributeValue = string | number | boolean | readonly string[];

/** Something that has begun and ended. */
export interface Span {
  traceId: string;
  spanId: string;
  /** `null` at the top of its trace. */
  parentId: string | null;
  name: string;
  /** `client` if another program does the work. */
  kind: "internal" | "client";
  /** Milliseconds since 1970, with their fractions. */
  times: readonly [begun: number, ended: number];
  attributes: Readonly<Record<string, AttributeValue>>;
  /** It failed. */
  isError: boolean;
}

/** Attributes of this process, and its version. */
export interface SpanSource {
  resource: Readonly<Record<string, string>>;
  version: string;
}

/** What main tells the worker. */
export type ToSender =
  | { t: "open"; collector: CollectorSettings; source: SpanSource }
  /** One at a time; the worker says how it went. */
  | { t: "send"; spans: readonly Span[] };

/** What the worker tells main: how the delivery went, `null` if the collector took all of it. */
export type FromSender = { t: "sent"; lost: number; problem: string | null };
