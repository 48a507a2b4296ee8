import { resolve } from "@std/path";

import { ToolError } from "../../../schemas/error.ts";
import { findWord, foreignWords, nameOf, sayWord } from "../../coming/systems.ts";
import { onOneLine } from "../../text/strip_controls.ts";
import { readNamedText } from "../../walls/files/open_plain.ts";
import { namedFileError } from "../../walls/files/system_error.ts";
import { type Io, printError, userFolder } from "../io/io.ts";

/** Larger files hold no variables, in bytes. */
const MAX_BYTES = 256 * 1024;
const NOTHING = /^\s*(?:#.*)?$/;
const VARIABLE = /^\s*(?:export\s+)?([A-Za-z_]\w*)\s*=\s*(.*)$/;
const QUOTED = /^(?:'([^']*)'|"((?:[^"\\]|\\.)*)")\s*(?:#.*)?$/;
/** What says where this program and its files are, and what is between it and others: the user's environment alone. */
const OWN =
  /^(?:HOME|PATH|PWD|SHELL|USER|TMPDIR|INIT_CWD|BROWSER)$|^(?:XDG|BULKHEAD|DENO|NODE|LD|DYLD|GIT|OTEL|SSL)_|_PROXY$/i;
const ADDRESS = /_(?:BASE_URL|API_BASE|URL|HOST|ENDPOINT)$|^API_BASE$/;
const KEY = /(?:^|_)(?:KEY|TOKEN)$/;
/** Only ResearchHarness has these among its variables. */
const SIGNS = ["API_BASE", "MODEL_NAME", "MAX_ROUNDS"];
/** Words of names that say nothing of whose they are. */
const COMMON = ["API", "BASE", "URL", "HOST", "ENDPOINT", "KEY", "TOKEN"];

/**
 * Adds the variables of a file to the environment, where they are not set. What is not taken is told. Needs `read`.
 *
 * @throws {ToolError} `configuration` for a line that is no variable, and for an address to which a key of the environment
 * would go
 */
export async function withEnvFile(path: string, io: Io): Promise<Io> {
  const named = `--env-file "${path}"`;
  const said = readLines(resolve(userFolder(io), path), named);
  const own = io.variables();
  const isOfHarness = SIGNS.some((name) => name in said);
  const taken = new Map<string, string>();
  for (const [name, value] of Object.entries(said)) {
    const foreign = isOfHarness ? findWord("variable", name) : undefined;
    if (OWN.test(name)) await warn(io, `${named}: ${name} is not taken: set it in the environment`);
    else if (foreign !== undefined && foreign.works !== true) {
      await warn(io, `${named}: ${name} is not read: ${sayWord(foreign)}`);
    } else if (own[name] === undefined && value !== "") {
      if (ADDRESS.test(name)) refuseOthersKey(name, own, named);
      taken.set(name, value);
    }
  }
  return {
    ...io,
    env: (name) => io.env(name) ?? taken.get(name),
    variables: () => ({ ...Object.fromEntries(taken), ...io.variables() }),
  };
}

/** Names ResearchHarness' variables of the environment that would be ignored silently, in one line. */
export async function warnAboutForeign(io: Io): Promise<void> {
  const own = io.variables();
  const sign = SIGNS.find((name) => own[name]);
  const of = sign === undefined ? undefined : findWord("variable", sign);
  if (of === undefined) return;
  const unread = foreignWords("variable").flatMap(({ system, theirs, works, here }) => {
    const name = nameOf(theirs);
    if (system !== of.system || works === true || !own[name]) return [];
    return [here === null ? name : `${name} (here ${here})`];
  });
  if (unread.length === 0) return;
  const message = `of ${of.title}' variables in the environment, these are not read: ${unread.join(", ")}`;
  await warn(io, `${message}; see: bulkhead help ${of.system}`);
}

function readLines(path: string, named: string): Record<string, string> {
  let text: string;
  try {
    text = readNamedText(path, { maxBytes: MAX_BYTES });
  } catch (error) {
    throw error instanceof ToolError ? error : namedFileError(error, "read", path);
  }
  const read = text.split(/\r?\n/).map((line) => {
    if (NOTHING.test(line)) return null;
    const [, name, rest = ""] = VARIABLE.exec(line) ?? [];
    const value = valueOf(rest);
    return name === undefined || value === null ? undefined : [name, value] as const;
  });
  const wrong = read.indexOf(undefined);
  if (wrong >= 0) {
    throw new ToolError("configuration", `Cannot use ${named}: line ${wrong + 1} is not NAME=VALUE`);
  }
  return Object.fromEntries(read.filter((one) => one !== null && one !== undefined));
}

/** A text in quotes of either kind, or all up to a comment; `null` for quotes that are not closed. */
function valueOf(rest: string): string | null {
  if (rest.startsWith("#")) return "";
  if (!/^['"]/.test(rest)) return rest.split(/\s#/, 1)[0]!.trimEnd();
  const quoted = QUOTED.exec(rest);
  return quoted && (quoted[1] ?? unescaped(quoted[2]!));
}

function unescaped(text: string): string {
  return text.replace(
    /\\(.)/g,
    (_, letter: string) => letter === "n" ? "\n" : letter === "t" ? "\t" : letter,
  );
}

/** A file that came with a project must not lead the user's keys elsewhere. */
function refuseOthersKey(name: string, own: Readonly<Record<string, string>>, named: string): void {
  const wordsOf = (text: string) => text.split("_").filter((word) => !COMMON.includes(word));
  const words = wordsOf(name);
  const key = Object.keys(own).find((one) =>
    KEY.test(one) && own[one] !== "" &&
    (words.length === 0 ? wordsOf(one).length === 0 : wordsOf(one).some((word) => words.includes(word)))
  );
  if (key === undefined) return;
  throw new ToolError(
    "configuration",
    `Cannot use ${named}: ${key} of your environment would go to the address that the file gives as ${name}: ` +
      `unset ${key}, or take ${name} out of the file`,
    { details: { variables: [name, key] } },
  );
}

async function warn(io: Io, message: string): Promise<void> {
  await printError(io, `warning: ${onOneLine(message)}\n`);
}
