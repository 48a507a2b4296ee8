import { isAbsolute, resolve } from "node:path";

import type { Config } from "../../../schemas/config.ts";
import { ToolError } from "../../../schemas/error.ts";
import type { ManifestEntry } from "../../../schemas/manifest.ts";
import { openAuditLog } from "../../calls/audit/audit_log.ts";
import { loadConfig } from "../../host/config/load_config.ts";
import type { LoadedConfig } from "../../host/config/loaded_config.ts";
import { choosePolicy } from "../../host/config/choose_policy.ts";
import { applyToolConfig, permissionsOf } from "../../host/config/tool_rules.ts";
import type { CallControl } from "../../calls/control.ts";
import type { NamedPolicy } from "../../walls/grants/policies.ts";
import { programHooks } from "../../calls/program_hooks.ts";
import { makeRedactor, secretValues } from "../../text/redact.ts";
import { realOrNull } from "../../walls/files/file_facts.ts";
import { onOneLine } from "../../text/strip_controls.ts";
import { pathOutside } from "../../walls/files/trusted_path.ts";
import { findPerson } from "../io/ask_person.ts";
import { type Io, printError, userFolder } from "../io/io.ts";
import type { Options } from "../args/option_table.ts";

/** What configuration and environment say about a run. Close it with `using`. */
export interface ConfiguredRun extends Disposable {
  config: Config;
  policy: NamedPolicy;
  dispatch: CallControl;
  /** The configuration files that were read. */
  files: readonly string[];
  /** Files that no tool of the run may write: its audit, its recording and the user's configuration. */
  frozen: readonly string[];
}

/** Options of {@linkcode configureRun}. */
export interface ConfigureOptions {
  /** All tools there are. */
  tools: readonly ManifestEntry[];
  /** Calls will run: the audit is opened, and hooks are looked for. @default false */
  runsCalls?: boolean;
  /** Stdin is read for something else, so that nobody can answer there. @default false */
  stdinTaken?: boolean;
}

/**
 * Reads the configuration of a run and makes what stands between callers and tools. To be called before any permission
 * is given up: needs `env`, `read`, and `write` for the audit.
 *
 * @throws {ToolError} `configuration`, or `invalid_input` for an unknown policy
 */
export function configureRun(options: Options, io: Io, configure: ConfigureOptions): ConfiguredRun {
  const { tools, runsCalls = false, stdinTaken = false } = configure;
  const cwd = userFolder(io);
  const workspace = realOrNull(resolve(cwd, options.workspace ?? "."));
  const loaded = loadConfig({ file: options.config, cwd, workspace, env: io.env }, tools);
  const warn = (message: string) => {
    // Not awaited: that nobody reads it changes nothing.
    if (!options.quiet) printError(io, `bulkhead: ${onOneLine(message)}\n`);
  };
  loaded.warnings.forEach(warn);
  const policy = choosePolicy(options.policy, loaded);
  const path = runsCalls ? auditPath(options, loaded, { cwd, home: io.env("HOME") ?? "" }) : null;
  const person = stdinTaken ? null : findPerson(io);
  const audit = path === null ? null : openAuditLog(path, { warn });
  const own = [path ?? [], options.record === undefined ? [] : resolve(cwd, options.record)].flat();
  return {
    config: loaded.config,
    policy,
    dispatch: {
      runId: crypto.randomUUID(),
      role: options.role ?? null,
      configure: (entry) => applyToolConfig(entry, loaded),
      permissions: (entry) => permissionsOf(entry, loaded),
      confirm: person?.confirm ?? null,
      ask: person?.ask ?? null,
      hooks: programHooks(runsCalls ? loaded.config.hooks ?? {} : {}, {
        searchPath: pathOutside(io.env("PATH") ?? "/usr/bin:/bin", workspace === null ? [] : [workspace]),
        home: io.env("HOME") ?? "",
        lang: io.env("LANG"),
      }),
      audit: audit && ((record) => audit.write(record)),
      redact: makeRedactor(secretValues(io.variables())),
    },
    files: [loaded.userFile, loaded.projectFile].filter((file) => file !== null),
    frozen: [loaded.userFile, ...own.map((file) => realOrNull(file) ?? file)].filter((file) => file !== null),
    [Symbol.dispose]: () => audit?.[Symbol.dispose](),
  };
}

/** The flag's file starts at the user's folder; the configuration's must be told without one. */
function auditPath(
  options: Options,
  { config }: LoadedConfig,
  { cwd, home }: { cwd: string; home: string },
): string | null {
  if (options.audit !== undefined) return resolve(cwd, options.audit);
  if (config.audit === undefined) return null;
  const path = config.audit.startsWith("~/") ? `${home}${config.audit.slice(1)}` : config.audit;
  if (isAbsolute(path)) return path;
  throw new ToolError(
    "configuration",
    `Cannot use "${config.audit}" for the audit: in the configuration it must be absolute or begin with ~/`,
  );
}
