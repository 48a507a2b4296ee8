import type { TracePlace } from "./trace_place.ts";

/** Says whether a trace is told. What lies in the trace of a caller gets its place there. */
export type Sampler = (traceId: string, parent: TracePlace | null) => boolean;

/** Of so many traces, the last half of the id decides. */
const ALL = 2 ** 56;

/**
 * Returns the sampler of the variables `OTEL_TRACES_SAMPLER` and `OTEL_TRACES_SAMPLER_ARG`.
 *
 * @param name @default "parentbased_always_on", also for a name that is not known
 * @param argument The part of all traces, from 0 to 1. @default 1
 */
export function chooseSampler(name = "", argument = ""): Sampler {
  const [word, kind = "always_on"] =
    /^(?:parentbased_)?(always_on|always_off|traceidratio)$/.exec(name.trim()) ??
      ["parentbased_always_on"];
  const part = argument.trim() === "" ? 1 : Number(argument);
  const ratio = part >= 0 && part <= 1 ? part : 1;
  const own: Sampler = kind === "always_on"
    ? () => true
    : kind === "always_off"
    ? () => false
    : (traceId) => parseInt(traceId.slice(-14), 16) < ratio * ALL;
  if (!word.startsWith("parentbased_")) return own;
  return (traceId, parent) => parent === null ? own(traceId, null) : parent.isSampled;
}
