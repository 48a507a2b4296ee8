import { ToolError } from "../../../../schemas/error.ts";
import type { AgentModelConfig } from "../../../../schemas/step/agent_definition.ts";
import { FileFields } from "./fields.ts";
import type { PlainObject } from "./plain_tree.ts";
import { isPlaceholder } from "./tool_settings.ts";

/** Where a model is whose file names a key and no address. */
const USUAL_ADDRESS = "https://api.openai.com/v1";
/** Further fields of requests that may stand beside the model. */
const REQUEST_FIELDS = ["top_p", "presence_penalty", "frequency_penalty", "seed", "stop", "reasoning_effort"];

/** A model as a file describes it. */
export interface FileModel {
  model: AgentModelConfig;
  /** A secret; it goes to the address of the file alone. */
  apiKey: string | null;
}

/**
 * Reads the section `llm`.
 *
 * @throws {ToolError} `configuration` for a field with a wrong value
 */
export function readModel(section: PlainObject, at: string, warn: (message: string) => void): FileModel {
  const fields = new FileFields(section, `${at}.llm`);
  const key = fields.text("api_key");
  const isKey = key !== undefined && !isPlaceholder(key);
  if (key !== undefined && !isKey) {
    warn(`${fields.at}.api_key is the one of an example: the environment's counts`);
  }
  const address = addressOf(fields);
  if (fields.text("proxy") !== undefined) warn(`${fields.at}.proxy is not used here: set HTTPS_PROXY`);
  const name = fields.text("model");
  const temperature = fields.number("temperature", { least: 0, most: 2 });
  const max_tokens = fields.number("max_tokens", { least: 1, whole: true });
  const extra = extraBody(fields);
  for (const name of fields.unread) warn(`${fields.at}.${name} is not known here`);
  // Its usual address is written out in examples, where it says no more than nothing.
  const isUsual = address === USUAL_ADDRESS && !isKey;
  const base_url = isKey ? address ?? USUAL_ADDRESS : isUsual ? undefined : address;
  return {
    model: {
      ...name !== undefined && { name },
      ...base_url !== undefined && { base_url },
      ...temperature !== undefined && { temperature },
      ...max_tokens !== undefined && { max_tokens },
      ...Object.keys(extra).length > 0 && { extra_body: extra },
    },
    apiKey: isKey ? key : null,
  };
}

function addressOf(fields: FileFields): string | undefined {
  const address = fields.text("base_url");
  if (address !== undefined && isPlaceholder(address)) return undefined;
  if (address === undefined || /^https?:$/.test(URL.parse(address)?.protocol ?? "")) {
    return address?.replace(/\/+$/, "");
  }
  throw new ToolError("configuration", `${fields.at}.base_url must begin with http:// or https://`);
}

function extraBody(fields: FileFields): Record<string, unknown> {
  const given = REQUEST_FIELDS.map((name) => [name, fields.value(name)] as const).filter(([, value]) =>
    value !== undefined
  );
  return { ...Object.fromEntries(given), ...Object.fromEntries(fields.section("extra_body").entries) };
}
