import { resolve } from "@std/path";

import { ACCESS_KINDS, type AccessKind } from "../../schemas/access.ts";
import { TOOLCHAIN_MODES } from "../../schemas/config.ts";
import { isWiderMode, SANDBOX_MODES, type SandboxMode } from "../walls/box/choose_box.ts";
import { flagWord, mergeFlags, readFlagWord } from "../walls/grants/flag_word.ts";
import type { GrantFlag } from "../walls/grants/make_grants.ts";
import type { SourceSettings } from "../sources/source.ts";
import type { HostSettings } from "./host_settings.ts";

/** Flags of which the last one holds. */
const SINGLE = ["--sandbox", "--toolchains", "--role"];

/**
 * Returns what the settings of a run allow and deny, and the files of its tools and servers, as words of the command line. Paths are absolute, so that the words
 * mean the same in another folder. The policy is not among them.
 */
export function sessionFlags({ grants, programs, places, control, tools }: HostSettings): string[] {
  const { files, mcp } = tools?.sources ?? {};
  const path = (word: string) => resolve(places.cwd, word);
  const ofKind = (verb: "allow" | "deny") =>
    ACCESS_KINDS.flatMap((kind) =>
      wordOf(
        `--${verb}-${kind}`,
        grants[verb]?.[kind],
        kind === "read" || kind === "write" ? path : undefined,
      )
    );
  return [
    ...grants.allowAll ? ["--allow-all"] : [],
    ...ofKind("allow"),
    ...ofKind("deny"),
    ...wordOf("--allow-private-net", grants.allowPrivateNet),
    ...wordOf("--allow-secrets", grants.allowSecrets, path),
    ...wordOf("--allow-env", programs.allowEnv),
    ...wordOf("--sandbox-show", grants.sandboxShow, path),
    ...grants.shareNet ? ["--share-net"] : [],
    ...places.sandbox === undefined ? [] : [`--sandbox=${places.sandbox}`],
    ...grants.toolchains === undefined ? [] : [`--toolchains=${grants.toolchains}`],
    ...wordOf("--role", control.role === undefined ? undefined : [control.role]),
    ...wordOf("--tools", files?.map((one) => one.path)),
    ...wordOf("--mcp", mcp?.flatMap((one) => "file" in one ? [one.file] : [])),
  ];
}

/**
 * Adds the flags that a session was begun with to the settings of a run that goes on with it.
 *
 * @returns The settings, and the flags of this run that allow more than the session did
 */
export function keepSessionFlags(
  settings: HostSettings,
  kept: readonly string[],
): { settings: HostSettings; widened: string[] } {
  const given = sessionFlags(settings);
  const named = new Set(given.map((word) => readFlagWord(word).flag));
  const isReplaced = (word: string) => SINGLE.includes(nameOf(word)) && named.has(nameOf(word));
  const words = mergeFlags([...kept.filter((word) => !isReplaced(word)), ...given]);
  return { settings: withFlags(settings, words), widened: given.flatMap((word) => excess(word, kept)) };
}

function wordOf(flag: string, value: GrantFlag, change = (item: string) => item): string[] {
  if (value === undefined) return [];
  if (value === true) return [flag];
  return value.length > 0 ? [flagWord(flag, value.map(change))] : [];
}

function nameOf(word: string): string {
  return readFlagWord(word).flag;
}

/** The part of a flag that allows what was not allowed. */
function excess(word: string, kept: readonly string[]): string[] {
  const { flag, values } = readFlagWord(word);
  const before = kept.map(readFlagWord).find((one) => one.flag === flag)?.values;
  const isOfKind = ACCESS_KINDS.some((kind) => flag === `--allow-${kind}`);
  if (flag.startsWith("--deny-") || before === true || (isOfKind && kept.includes("--allow-all"))) return [];
  if (values === true) return [word];
  if (flag === "--sandbox") return isWiderMode(modeOf(values), modeOf(before)) ? [word] : [];
  if (flag === "--toolchains") return values[0] === "on" && before?.[0] === "off" ? [word] : [];
  const more = values.filter((value) => !before?.includes(value));
  return more.length > 0 ? [flagWord(flag, more)] : [];
}

function modeOf(values: readonly string[] = []): SandboxMode {
  return SANDBOX_MODES.find((known) => known === values[0]) ?? "auto";
}

function withFlags(settings: HostSettings, words: readonly string[]): HostSettings {
  const { grants, programs, places, control, tools } = settings;
  const found = new Map(words.map(readFlagWord).map(({ flag, values }) => [flag, values]));
  const list = (flag: string) => {
    const values = found.get(flag);
    return values === true ? undefined : values;
  };
  const ofKind = (verb: "allow" | "deny"): Partial<Record<AccessKind, GrantFlag>> =>
    Object.fromEntries(ACCESS_KINDS.map((kind) => [kind, found.get(`--${verb}-${kind}`)]));
  const [mode] = list("--sandbox") ?? [];
  const [role] = list("--role") ?? [];
  return {
    ...settings,
    grants: {
      ...grants,
      allowAll: found.has("--allow-all"),
      allow: ofKind("allow"),
      deny: ofKind("deny"),
      allowPrivateNet: found.get("--allow-private-net"),
      allowSecrets: list("--allow-secrets"),
      sandboxShow: list("--sandbox-show"),
      // Without the flag, the configuration decides.
      shareNet: found.has("--share-net") || undefined,
      toolchains: TOOLCHAIN_MODES.find((known) => known === list("--toolchains")?.[0]),
    },
    programs: { ...programs, allowEnv: list("--allow-env") },
    places: { ...places, sandbox: SANDBOX_MODES.find((known) => known === mode) },
    control: { ...control, role },
    tools: { ...tools, sources: withSources(tools?.sources ?? {}, list) },
  };
}

/** What was named before may be gone since: then the others go on. */
function withSources(given: SourceSettings, list: (flag: string) => string[] | undefined): SourceSettings {
  const { files = [], mcp = [] } = given;
  const isGiven = (file: string) => mcp.some((one) => "file" in one && one.file === file);
  return {
    ...given,
    files: (list("--tools") ?? []).map((path) =>
      files.find((one) => one.path === path) ?? { path, isRequired: false }
    ),
    mcp: [
      ...mcp,
      ...(list("--mcp") ?? []).flatMap((file) => isGiven(file) ? [] : [{ file, isRequired: false }]),
    ],
  };
}
