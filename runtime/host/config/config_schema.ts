import { ACCESS_KINDS } from "../../../schemas/access.ts";
import type { JsonSchema } from "../../../schemas/manifest.ts";
import { PERMISSION_SCHEMA } from "../../../schemas/json/permission_schema.ts";
import { AGENT, BOUNDS_OF_RUNS } from "./check/agent_schema.ts";
import { MCP_SERVER, POLICY, PROGRAMS } from "./check/policy_schema.ts";
import {
  COUNT,
  each,
  fieldsOf,
  map,
  POSITIVE,
  PRICE,
  SCOPE,
  TEXT,
  TEXTS,
  told,
  YES_OR_NO,
} from "./check/schema_words.ts";

const MODEL: JsonSchema = fieldsOf({
  context_tokens: told("Longest conversation, reply included", COUNT),
  output_tokens: told("Longest reply", COUNT),
  images: told("The model reads pictures", YES_OR_NO),
  prices: told(
    "Dollars for a million tokens",
    fieldsOf({ input: PRICE, cached_input: PRICE, output: PRICE }, ["input", "output"]),
  ),
  base_url: told("Where its API is", { type: "string", minLength: 1 }),
  api_key_env: told("Name of the variable that holds its key", { type: "string", minLength: 1 }),
  headers: told("Headers of every request", map(TEXT)),
  wire: told("The API that it is asked by", { enum: ["chat", "responses"] }),
  idle_seconds: told("Longest silence of a reply", POSITIVE),
  extra_body: told("Extra fields of every request", { type: "object" }),
});

/** Editors need it; what is wrong is told by the reader of scripts. */
const SCRIPT: JsonSchema = fieldsOf({
  name: told("1 to 64 letters, digits, _ and -, with a letter first", TEXT),
  path: told("The script: absolute, or with ~/", TEXT),
  description: told("What a model reads", TEXT),
  interpreter: told("The words that start it, before its path", TEXTS),
  files: told("Other files and folders that it may read", TEXTS),
  input_schema: told("JSON Schema of its arguments, an object", { type: "object" }),
  output_schema: told("JSON Schema of its result", { type: "object" }),
  reply: told("Whether it writes its result alone, or an envelope", { enum: ["bare", "envelope"] }),
  filesystem_read: told("It may read the workspace", YES_OR_NO),
  filesystem_write: told("It may write the workspace, and read it", YES_OR_NO),
  network: told("The hosts that it may reach, true for all that are granted", { anyOf: [YES_OR_NO, TEXTS] }),
  commands: told("The programs that it may start; without it those of the system", TEXTS),
  timeout_seconds: told("Longest time of one call", POSITIVE),
  concurrency: told("Most calls of it at once", COUNT),
  parallel: told("A call may run beside its neighbours", YES_OR_NO),
  permission: told("Who may call it, and when", PERMISSION_SCHEMA),
}, ["name", "path", "description"]);

/** What a configuration file must look like, with texts for editors. */
export const CONFIG_SCHEMA: JsonSchema = fieldsOf({
  $schema: TEXT,
  policy: told("Policy of runs that name none", TEXT),
  policies: told("Policies of your own, by name", map(POLICY)),
  tool_files: told(
    "Files that define tools of your own, or folders with such files; those of a project count once you trust it",
    TEXTS,
  ),
  mcpServers: told(
    "MCP servers by name, in the form of .mcp.json; only in the user's file",
    map(MCP_SERVER),
  ),
  mcp_context_limit: told(
    "Most characters of a text that an MCP server gives; only in the user's file",
    COUNT,
  ),
  script_tools: told(
    "Scripts that are tools: JSON on stdin, JSON on stdout; only in the user's file",
    { type: "array", items: SCRIPT },
  ),
  tools: told(
    "By full name, or with * for any part of it",
    map(fieldsOf({
      permission: told("Who may call it, and when", PERMISSION_SCHEMA),
      timeout_seconds: told("Longest time of one call", POSITIVE),
      concurrency: told("Most calls of it at once", COUNT),
      response_type: told(
        "Type of its result, as List[str] or a JSON Schema; only in the user's file",
        { anyOf: [TEXT, { type: "object" }] },
      ),
    })),
  ),
  hooks: told(
    "Programs that get every call; only in the user's file",
    fieldsOf({ before: { type: "array", items: TEXTS }, after: { type: "array", items: TEXTS } }),
  ),
  programs: PROGRAMS,
  permissions: told(
    "What every run may touch beside what its policy grants; a project's file can only deny",
    fieldsOf({
      allow: each(ACCESS_KINDS, SCOPE),
      deny: told("Wins over everything that is allowed", each(ACCESS_KINDS, SCOPE)),
      secrets: told("Secrets that tools may touch where that is allowed", TEXTS),
      private_net: told("Private and loopback hosts that may be reached", SCOPE),
      env: told("Variables that programs see, beside the usual ones", TEXTS),
    }),
  ),
  sandbox: told(
    "How tools and programs are enclosed; a project's file can only make it stricter",
    fieldsOf({
      mode: { enum: ["auto", "require", "namespaces", "landlock", "off"] },
      show: told("Folders that programs may also read", TEXTS),
      share_net: told("Programs have all of this machine's network, past the lists of hosts", YES_OR_NO),
      toolchains: told("Programs see the known toolchains of the home", { enum: ["on", "off"] }),
      remote: told("Command before a text that a shell elsewhere runs; only in the user's file", TEXTS),
    }),
  ),
  agent: told(
    "Settings for runs of the agent",
    fieldsOf({
      model: told("Only in the user's file", { type: "string", minLength: 1 }),
      ...BOUNDS_OF_RUNS,
    }),
  ),
  agents: told("Agents by name; those of a project grant nothing", map(AGENT)),
  models: told("By name; only in the user's file", map(MODEL)),
  audit: told("File to which every run adds its audit; only in the user's file", TEXT),
});
