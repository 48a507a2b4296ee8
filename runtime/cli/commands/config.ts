import { resolve } from "@std/path";

import type { Config } from "../../../schemas/config.ts";
import { ToolError } from "../../../schemas/error.ts";
import { checkConfig } from "../../host/config/check_config.ts";
import { CONFIG_SCHEMA } from "../../host/config/config_schema.ts";
import {
  type ConfigPlaces,
  configPlaces,
  isProjectsName,
  readConfig,
} from "../../host/config/find_config.ts";
import { type ConfiguredHost, configureHost } from "../../host/configure_host.ts";
import { realOrNull } from "../../walls/files/file_facts.ts";
import { jsonLine } from "../../text/json_line.ts";
import { REDACTED } from "../../text/secrets/secret_shapes.ts";
import { onOneLine } from "../../text/strip_controls.ts";
import type { Invocation } from "../args/parse_argv.ts";
import type { Options } from "../args/options/option_table.ts";
import { type Io, print, userFolder } from "../io/io.ts";
import { hostSettings } from "../setup/open_run.ts";
import { renderTable } from "../show/tables/columns.ts";

/** `config [show]`, `config path`, `config check [FILE]`, `config schema`. */
export async function configCommand({ positionals, options }: Invocation, io: Io): Promise<number> {
  const [action = "show", file] = positionals;
  if (file !== undefined && action !== "check") {
    throw new ToolError("invalid_input", `Unexpected word "${file}", write: bulkhead config ${action}`);
  }
  if (action === "schema") return await tell(io, JSON.stringify(EDITOR_SCHEMA, null, 2));
  const { tools } = await io.manifest();
  const places = configPlacesOf(options, io);
  if (action === "check" && file !== undefined) {
    const path = resolve(userFolder(io), file);
    const found = readConfig(path);
    if (found === null) throw new ToolError("invalid_input", `Cannot check "${path}": no such file`);
    const warnings = checkConfig(found, tools, { isProjects: isProjectsName(path) });
    return await tell(io, options.json ? JSON.stringify({ path, warnings }) : renderCheck([path], warnings));
  }
  using configured = configureHost(hostSettings({ ...options, quiet: true }, io, {}), tools);
  if (action === "path") return await printPlaces(configured, places, { io, json: options.json ?? false });
  if (action === "check") return await printCheck(configured, { io, json: options.json ?? false });
  return await tell(io, JSON.stringify(effective(configured), null, 2));
}

/** The schema as editors take it. */
const EDITOR_SCHEMA = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  title: "Configuration of bulkhead",
  ...CONFIG_SCHEMA,
};

/** Returns where configuration is looked for. */
export function configPlacesOf(options: Options, io: Io): ConfigPlaces {
  const cwd = userFolder(io);
  const workspace = realOrNull(resolve(cwd, options.workspace ?? "."));
  return { file: options.config, cwd, workspace, env: io.env };
}

/** What holds for a run with these flags: the user's settings as far as the project's file leaves them. */
function effective({ loaded, policy, settings }: ConfiguredHost) {
  const { userFile, projectFile, config, projectTools, warnings } = loaded;
  const { allow, deny, allowSecrets, allowPrivateNet, shareNet, sandboxShow, toolchains } = settings.grants;
  const { commands, base } = policy;
  return {
    files: { user: userFile, project: projectFile },
    policy: { name: commands.name, base, allow: commands.allow, deny: commands.deny },
    permissions: {
      ...{ allow, deny },
      ...{ secrets: allowSecrets, private_net: allowPrivateNet, env: settings.programs.allowEnv },
    },
    sandbox: {
      ...{ mode: settings.places.sandbox ?? "auto", show: sandboxShow },
      ...{ share_net: shareNet, toolchains: toolchains ?? "on", remote: settings.programs.remote ?? null },
    },
    programs: settings.programs.limits,
    tools: config.tools ?? {},
    project_tools: projectTools,
    agent: config.agent ?? {},
    models: masked(config.models ?? {}),
    tool_files: config.tool_files ?? [],
    // What stands in an entry may be a secret.
    mcp_servers: Object.keys(config.mcpServers ?? {}),
    mcp_context_limit: config.mcp_context_limit ?? null,
    script_tools: config.script_tools ?? [],
    hooks: config.hooks ?? {},
    audit: config.audit ?? null,
    warnings,
  };
}

/** Headers may hold keys. */
function masked(models: NonNullable<Config["models"]>): Config["models"] {
  return Object.fromEntries(
    Object.entries(models).map(([name, { headers, ...model }]) => {
      const hidden = Object.keys(headers ?? {}).map((header) => [header, REDACTED]);
      return [name, { ...model, ...(headers && { headers: Object.fromEntries(hidden) }) }];
    }),
  );
}

interface Printing {
  io: Io;
  json: boolean;
}

async function printPlaces(
  { loaded: { userFile, projectFile } }: ConfiguredHost,
  places: ConfigPlaces,
  { io, json }: Printing,
): Promise<number> {
  const read = [userFile, projectFile].filter((file) => file !== null);
  const rows = configPlaces(places).map(({ whose, path, named }) => ({
    whose,
    path,
    named: named ?? null,
    read: read.some((file) => file === realOrNull(path)),
  }));
  if (json) return await tell(io, JSON.stringify(rows));
  const cells = rows.map(({ whose, path, named, read }) => [
    whose,
    read ? "read" : "not there",
    `${onOneLine(path)}${named === null ? "" : ` (${named})`}`,
  ]);
  await print(io, renderTable([["WHOSE", "STATE", "FILE"], ...cells]));
  return 0;
}

async function printCheck({ loaded }: ConfiguredHost, { io, json }: Printing): Promise<number> {
  const { userFile, projectFile, warnings } = loaded;
  const files = [userFile, projectFile].filter((file) => file !== null);
  return await tell(io, json ? jsonLine({ files, warnings }).trimEnd() : renderCheck(files, warnings));
}

function renderCheck(files: readonly string[], warnings: readonly string[]): string {
  const lines = [
    ...files.map((file) => `ok ${onOneLine(file)}`),
    ...warnings.map((warning) => `warning: ${onOneLine(warning)}`),
  ];
  return lines.length === 0 ? "no configuration file" : lines.join("\n");
}

async function tell(io: Io, text: string): Promise<number> {
  await print(io, `${text}\n`);
  return 0;
}
