import type { AuditRecord } from "../../schemas/audit.ts";
import type { Scope } from "../../schemas/grants.ts";
import type { ManifestEntry } from "../../schemas/manifest.ts";
import { readAnswer } from "../../schemas/own/answers.ts";
import { RememberedConsents } from "../calls/consent.ts";
import type { AskPerson, CallControl } from "../calls/control.ts";
import { programHooks } from "../calls/program_hooks.ts";
import { headerSecrets, makeRedactor, secretValues } from "../text/secrets/redact.ts";
import { trustedPrograms } from "../walls/files/trusted_path.ts";
import type { LoadedConfig } from "./config/loaded_config.ts";
import { applyToolConfig, mostExact, permissionsOf } from "./config/tool_rules.ts";
import type { HostSettings } from "./host_settings.ts";

/** What a control is made of, beside the settings. */
export interface ControlSources {
  loaded: LoadedConfig;
  /** Real path; `null` if there is no such folder. */
  workspace: string | null;
  /** What calls can write, worked out when it is needed. */
  callsWrite(): Scope;
  /** The audit's file, if one is kept. */
  log: { write(record: AuditRecord): void } | null;
}

/** Makes what stands between callers and tools. */
export function makeControl(
  settings: HostSettings,
  { loaded, workspace, callsWrite, log }: ControlSources,
): CallControl {
  const { control, env } = settings;
  const configured = new WeakMap<ManifestEntry, ManifestEntry>();
  const configure = (tool: ManifestEntry) => {
    const known = configured.get(tool) ?? applyToolConfig(tool, loaded, settings.limits.tools);
    configured.set(tool, known);
    return known;
  };
  const hooks = settings.runsCalls === false ? {} : loaded.config.hooks ?? {};
  return {
    runId: crypto.randomUUID(),
    role: control.role ?? null,
    configure,
    permissions: (tool) => permissionsFor(tool, settings, loaded),
    confirm: control.confirm ?? null,
    consents: new RememberedConsents(),
    ask: control.ask ? checkedAsk(control.ask) : null,
    hooks: [
      ...programHooks(hooks, {
        programs: () =>
          trustedPrograms(env.PATH ?? "/usr/bin:/bin", { workspace, allow: { write: callsWrite() } }),
        home: env.HOME ?? "",
        lang: env.LANG,
      }),
      ...control.hooks ?? [],
    ],
    audit: auditOf(control.audit, log),
    redact: makeRedactor([...secretValues(env), ...modelSecrets(loaded, env), ...control.secrets ?? []]),
  };
}

function checkedAsk(ask: AskPerson): AskPerson {
  return async (question, options) => readAnswer("ask", await ask(question, options)) as string | null;
}

/** What the configuration sends to models. */
function modelSecrets({ config: { models = {} } }: LoadedConfig, env: HostSettings["env"]): string[] {
  return Object.values(models).flatMap(({ api_key_env, headers = {} }) => [
    ...(api_key_env === undefined ? [] : [env[api_key_env]?.trim() ?? ""]),
    ...headerSecrets(headers),
  ]);
}

/** The caller's permission replaces the tool's own. The configuration's permission still holds. */
function permissionsFor(tool: ManifestEntry, { control }: HostSettings, loaded: LoadedConfig) {
  const entries = Object.fromEntries(
    Object.entries(control.permissions ?? {}).map(([name, permission]) => [name, { permission }]),
  );
  const given = mostExact(entries, tool.full_name, "permission");
  const configured = permissionsOf(tool, loaded, { withOwn: given.length === 0 });
  return [...given, ...configured];
}

function auditOf(given: HostSettings["control"]["audit"], log: ControlSources["log"]): CallControl["audit"] {
  if (typeof given === "function") return (record) => attempt(() => given(record));
  return log && ((record) => log.write(record));
}

/** The call has ended: a lost record does not change its result. */
function attempt(work: () => void): void {
  try {
    work();
  } catch {
    // The receiver of the records knows of its own failure.
  }
}
