import type {
  SessionAgent,
  SessionModel,
  SessionPolicy,
  SessionSettings,
  SessionThinking,
  SessionTools,
} from "../../../schemas/agent/session_settings.ts";
import { ACCESS_KINDS } from "../../../schemas/access.ts";
import type { CommandRule } from "../../../schemas/command.ts";
import { PROGRAM_LIMITS, type ProgramLimits } from "../../../schemas/config.ts";
import { POLICY_NAMES } from "../../../schemas/grants.ts";
import {
  type Executor,
  THINKING_KINDS,
  type ThinkingKind,
  type ThinkingPrompts,
} from "../../../schemas/step/thinking.ts";
import { amount, anyObject, type Decode, flag, listOf, nullable, objectOf, oneOf, text } from "./decode.ts";

const decodeRule: Decode<CommandRule> = objectOf<CommandRule>({
  program: text,
  words: { optional: listOf(text) },
  options: { optional: listOf(text) },
});

/** `false`, `null` or a path. */
const decodeConfig: Decode<SessionSettings["config"]> = (value, at) =>
  value === false ? false : nullable(text)(value, at);

const LIMITS = Object.keys(PROGRAM_LIMITS) as readonly (keyof ProgramLimits)[];

/** Bounds that are known. */
const decodeLimits: Decode<Partial<ProgramLimits>> = (value, at) => {
  const bounds = anyObject(value, at);
  const known = LIMITS.filter((name) => bounds[name] !== undefined);
  return Object.fromEntries(known.map((name) => [name, amount(bounds[name], `${at}.${name}`)]));
};

const decodeExecutors: Decode<Record<string, Executor>> = (value, at) =>
  Object.fromEntries(
    Object.entries(anyObject(value, at)).map(([name, executor]) => [
      name,
      objectOf<Executor>({
        description: text,
        system: { optional: text },
        tools: { optional: listOf(text) },
        max_iterations: { optional: amount },
      })(
        executor,
        `${at}.${name}`,
      ),
    ]),
  );

const decodeThinking: Decode<SessionThinking> = objectOf<SessionThinking>({
  kind: { optional: oneOf(Object.keys(THINKING_KINDS) as ThinkingKind[]) },
  must_call: { optional: flag },
  prompts: {
    optional: objectOf<ThinkingPrompts>({
      system: { optional: text },
      request: { optional: text },
      clarification: { optional: text },
    }),
  },
  executors: { optional: decodeExecutors },
  limits: objectOf<SessionThinking["limits"]>({
    iterations: { optional: nullable(amount) },
    clarifications: { optional: nullable(amount) },
    searches: { optional: nullable(amount) },
  }),
});

/** What a session keeps from run to run. */
export const decodeSettings: Decode<SessionSettings> = objectOf<SessionSettings>({
  flags: listOf(text),
  policy: objectOf<SessionPolicy>({
    name: text,
    base: oneOf(POLICY_NAMES),
    allow: listOf(decodeRule),
    deny: listOf(decodeRule),
    without: { optional: listOf(oneOf(ACCESS_KINDS)) },
    share_net: { optional: flag },
    programs: { optional: decodeLimits },
    filter: { optional: flag },
    named: flag,
  }),
  config: decodeConfig,
  tools: nullable(objectOf<NonNullable<SessionTools>>({
    toolsets: listOf(text),
    tools: listOf(text),
    extra_tools: listOf(text),
  })),
  max_tools: { optional: amount },
  thinking: { optional: decodeThinking },
  model: nullable(objectOf<SessionModel>({ name: text, base_url: nullable(text) })),
  agent: { optional: objectOf<SessionAgent>({ name: text, file: nullable(text) }) },
});
