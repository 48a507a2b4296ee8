import type {
  SessionModel,
  SessionPolicy,
  SessionSettings,
  SessionTools,
} from "../../../schemas/agent/session_settings.ts";
import type { CommandRule } from "../../../schemas/command.ts";
import { POLICY_NAMES } from "../../../schemas/grants.ts";
import { type Decode, flag, listOf, nullable, objectOf, oneOf, text } from "./decode.ts";

const decodeRule: Decode<CommandRule> = objectOf<CommandRule>({
  program: text,
  words: { optional: listOf(text) },
  options: { optional: listOf(text) },
});

/** `false`, `null` or a path. */
const decodeConfig: Decode<SessionSettings["config"]> = (value, at) =>
  value === false ? false : nullable(text)(value, at);

/** What a session keeps from run to run. */
export const decodeSettings: Decode<SessionSettings> = objectOf<SessionSettings>({
  flags: listOf(text),
  policy: objectOf<SessionPolicy>({
    name: text,
    base: oneOf(POLICY_NAMES),
    allow: listOf(decodeRule),
    deny: listOf(decodeRule),
    named: flag,
  }),
  config: decodeConfig,
  tools: nullable(objectOf<NonNullable<SessionTools>>({
    toolsets: listOf(text),
    tools: listOf(text),
    extra_tools: listOf(text),
  })),
  model: nullable(objectOf<SessionModel>({ name: text, base_url: nullable(text) })),
});
