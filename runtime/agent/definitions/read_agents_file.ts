import { basename, dirname, resolve } from "@std/path";

import { ToolError } from "../../../schemas/error.ts";
import { parseJsonc } from "../../../schemas/json/jsonc.ts";
import { isObject } from "../../../schemas/json/shape.ts";
import type { Manifest } from "../../../schemas/manifest.ts";
import type { GrantSettings } from "../../host/host_settings.ts";
import { realOrNull } from "../../walls/files/file_facts.ts";
import { flagWord, showFlags } from "../../walls/grants/flag_word.ts";
import { isInside } from "../../walls/grants/inside.ts";
import type { GrantFlag } from "../../walls/grants/make_grants.ts";
import { covers } from "../../walls/grants/path_access.ts";
import { isSecret } from "../../walls/grants/secret_paths.ts";
import { systemError } from "../../walls/files/system_error.ts";
import { readNamedText } from "../../walls/files/open_plain.ts";
import { readManus } from "./openmanus/read_manus.ts";
import {
  isList,
  isPlainObject,
  type PlainObject,
  plainTree,
  type PlainValue,
} from "./upstream/plain_tree.ts";
import { type FileAgent, namesAgents, readUpstream } from "./upstream/read_upstream.ts";
import { SECTION_NAMES } from "./upstream/sections.ts";
import { sgrVariables } from "./upstream/sgr_variables.ts";

/** Longest file, in bytes; also of a prompt. */
const MAX_BYTES = 256 * 1024;

/** How the configuration of OpenManus ends. */
const TOML = /\.toml$/;
/** A line that begins with a tab. */
const TAB = /^\t\s*[^\s#]/m;

/** A file of agents that was read. */
export interface AgentsFile {
  /** Behind all links. */
  real: string;
  /** Who works where none is named; `null` for the only one. */
  usual: string | null;
  agents: ReadonlyMap<string, FileAgent>;
  /** What is odd about it, a sentence each. */
  warnings: readonly string[];
}

/** What a file of agents is read with. */
export interface AgentsFilePlaces {
  /** The user's folder: a relative path starts here. */
  cwd: string;
  env: Readonly<Record<string, string>>;
  manifest: Pick<Manifest, "tools" | "agents" | "agent_classes" | "file_agents" | "manus_agents">;
  /** What the user allows and denies: files elsewhere are named only as far as that goes. @default nothing */
  grants?: Pick<GrantSettings, "allowAll" | "allow" | "deny">;
}

/**
 * Reads a file of agents in the form of SGR Agent Core: YAML, or JSON if its name ends so; or `config.toml` of OpenManus,
 * by that ending. Needs `read` of it and of the
 * prompts that it names, whose paths start at its folder and lead no further than the user allows.
 *
 * @throws {ToolError} `configuration` for a file that cannot be used
 */
export async function readAgentsFile(
  path: string,
  { cwd, env, manifest, grants = {} }: AgentsFilePlaces,
): Promise<AgentsFile> {
  const full = resolve(cwd, path);
  const named = `agents "${path}"`;
  const text = readFile(full, named);
  if (text === null) throw new ToolError("configuration", `Cannot use ${named}: there is no such file`);
  const warnings: string[] = [];
  const told = (message: string) => `${named}: ${message}`;
  const warn = (message: string) => void warnings.push(told(message));
  const refused = ({ message }: ToolError) =>
    new ToolError("configuration", `Cannot use ${named}: ${message}`, { details: { file: path } });
  const folder = dirname(full);
  const places = { folder, cwd, grants };
  const written = plainTree(await parse(text, full, named), named);
  const isManus = TOML.test(full);
  const document = isManus
    ? written
    : await withPartner(await withOtherFile(written, places), full, { ...places, warn });
  try {
    const variables = sgrVariables(env);
    const readText = (prompt: string) => readNamed(prompt, `the prompt "${prompt}"`, places);
    const agents = isManus
      ? readManus(document, { manifest, warn })
      : readUpstream(document, { manifest, variables, readText, warn });
    for (const agent of agents.values()) {
      agent.warnings = agent.warnings.map(told);
      if (agent.problem) agent.problem = refused(agent.problem);
    }
    return {
      real: realOrNull(full) ?? full,
      usual: isManus ? manifest.manus_agents[0] ?? null : null,
      ...{ agents, warnings },
    };
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    throw new ToolError("configuration", `Cannot use ${named}: ${error.message}`, {
      details: { file: path },
    });
  }
}

/** In earlier versions a configuration could say where its agents are, or hold them a level lower. */
async function withOtherFile(document: PlainValue, places: NamedPlaces): Promise<PlainValue> {
  const said = isPlainObject(document) && isPlainObject(document.agents) ? document.agents : {};
  if (isList(said.agents)) return { ...document as PlainObject, agents: said.agents };
  if (typeof said.config_file !== "string" || said.config_file === "") return document;
  const named = `agents.config_file "${said.config_file}"`;
  const full = resolve(places.folder, said.config_file);
  const text = readNamed(said.config_file, named, places);
  if (text === null) throw new ToolError("configuration", `Cannot use ${named}: there is no such file`);
  const other = plainTree(await parse(text, full, named), named);
  if (!isPlainObject(other)) throw new ToolError("configuration", `${named} must hold a mapping with agents`);
  return { ...document as PlainObject, agents: other.agents ?? null };
}

/** The two files of an installation, by their usual names: what holds for all agents, and the agents. */
const PARTNERS = { sections: ["config.yaml", "config.yml"], agents: ["agents.yaml", "agents.yml"] };

/**
 * Adds to one of the two files of that system what the other says, where it lies beside it: agents to a file that names
 * none, and all else to a file that names nothing but agents. That is told.
 */
async function withPartner(
  document: PlainValue,
  path: string,
  { warn, ...places }: NamedPlaces & { warn(message: string): void },
): Promise<PlainValue> {
  if (!isPlainObject(document)) return document;
  const hasAgents = namesAgents(document);
  if (hasAgents && Object.keys(document).some((name) => SECTION_NAMES.includes(name))) return document;
  for (const name of hasAgents ? PARTNERS.sections : PARTNERS.agents) {
    const text = name === basename(path) ? null : readNamed(name, `"${name}" beside it`, places);
    if (text === null) continue;
    const other = plainTree(await parse(text, name, `"${name}" beside it`), name);
    const [shared, own] = hasAgents ? [other, document] : [document, other];
    if (!isPlainObject(other) || !isPlainObject(shared) || !isPlainObject(own)) continue;
    if (hasAgents ? !SECTION_NAMES.some((section) => isPlainObject(other[section])) : !namesAgents(other)) {
      continue;
    }
    warn(
      hasAgents
        ? `the model and what else it leaves out are those of "${name}" beside it`
        : `its agents are those of "${name}" beside it`,
    );
    return { ...shared, ...own, tools: { ...mapping(shared.tools), ...mapping(own.tools) } };
  }
  const isPart = hasAgents && PARTNERS.agents.includes(basename(path));
  if (isPart) {
    warn(
      `it names no model and no bounds, and no "${
        PARTNERS.sections[0]
      }" lies beside it: the usual ones count`,
    );
  }
  return document;
}

function mapping(value: PlainValue | undefined): PlainObject {
  return isPlainObject(value) ? value : {};
}

async function parse(text: string, path: string, named: string): Promise<unknown> {
  if (text.includes("\0")) {
    throw new ToolError("configuration", `Cannot use ${named}: it is no text in UTF-8: save it as one`);
  }
  try {
    if (/\.jsonc?$/.test(path)) return parseJsonc(text, named);
    if (TOML.test(path)) return (await import("@std/toml")).parse(text);
    const { parse } = await import("@std/yaml");
    const value = parse(text, { schema: "core" });
    // Indented so, what is meant to be within agents is read as something beside them.
    if (isObject(value) && (value.agents ?? null) !== null || !TAB.test(text)) return value;
    throw new Error("a line begins with a tab: indent with spaces");
  } catch (error) {
    if (error instanceof ToolError) {
      throw new ToolError("configuration", error.message, { details: error.details });
    }
    const why = error instanceof RangeError
      ? "it has too many levels"
      : error instanceof Error
      ? error.message
      : "";
    const form = TOML.test(path) ? "TOML" : "YAML";
    throw new ToolError("configuration", `Cannot use ${named}: it is no ${form}: ${why.split("\n", 1)[0]}`);
  }
}

/** Where files are that a file of agents names. */
interface NamedPlaces extends Required<Pick<AgentsFilePlaces, "cwd" | "grants">> {
  /** That of the file of agents. */
  folder: string;
}

/**
 * Reads a file that a file of agents names; `null` if there is none. A stranger may have written it, and where the text goes
 * as well: it must lie in the same folder by its real path, or be allowed by the user.
 */
function readNamed(path: string, named: string, { folder, cwd, grants }: NamedPlaces): string | null {
  const home = realOrNull(folder) ?? folder;
  const real = realOrNull(resolve(folder, path));
  if (real === null) return null;
  const covered = (flag: GrantFlag) =>
    flag !== undefined &&
    covers(flag === true ? true : flag.map((one) => realOrNull(resolve(cwd, one)) ?? one), real);
  const refuse = (why: string) => new ToolError("configuration", `Cannot use ${named}: ${why}`);
  if (isSecret(real, home)) throw refuse("it is a file of secrets");
  if (covered(grants.deny?.read)) throw refuse("it is denied by --deny-read");
  if (isInside(home, real) || grants.allowAll || covered(grants.allow?.read)) return readFile(real, named);
  throw refuse(
    `it leads out of the folder of the file that names it, to "${real}": put it into "${home}", or pass ` +
      showFlags([flagWord("--allow-read", [real])]),
  );
}

/** `null` if there is no such file. */
function readFile(path: string, named: string): string | null {
  try {
    // Opening a pipe would wait for its writer.
    const { isFile, size } = Deno.statSync(path);
    if (!isFile) throw new ToolError("configuration", `Cannot use ${named}: it is not a file`);
    if (size <= MAX_BYTES) return readNamedText(path, { maxBytes: MAX_BYTES });
    throw new ToolError("configuration", `Cannot use ${named}: it has more than ${MAX_BYTES} bytes`);
  } catch (error) {
    if (error instanceof ToolError) throw error;
    if (error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory) return null;
    throw new ToolError("configuration", systemError(error, "read", path).message, { cause: error });
  }
}
