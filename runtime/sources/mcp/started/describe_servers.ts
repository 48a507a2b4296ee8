import { relative, resolve } from "@std/path";

import { parseJsonc } from "../../../../schemas/json/jsonc.ts";
import { isObject } from "../../../../schemas/json/shape.ts";
import { quoteWord } from "../../../text/shell_quote.ts";
import { wholeOnOneLine } from "../../../text/strip_controls.ts";
import { foldBlanks } from "../../../text/visible.ts";
import { CLIENTS } from "../config/clients.ts";
import { fillIn } from "../config/fill_in.ts";
import { serverEntries } from "../config/server_entries.ts";
import { startedPrint } from "./started_print.ts";

/** The servers of a project's file, for the person who decides about them. */
export interface DescribedServers {
  /** All that they start and are given, as it is written, in lines. */
  lines: readonly string[];
  /** What they start of the project, as it is now; `""` for nothing. */
  print: string;
}

/** Where the file lies, and what its variables stand for. */
export interface ServersPlace {
  /** Real path of the project. */
  folder: string;
  env: Readonly<Record<string, string>>;
  home: string;
}

/** Fields that have a line of their own; all others are shown as they are. */
const TOLD = ["command", "args", "url", "cwd", "env", "headers", "bulkhead"];

/** Describes the servers of a `.mcp.json`, whole. Needs `read`. Throws `ToolError` for a text that is none. */
export async function describeServers(text: string, place: ServersPlace): Promise<DescribedServers> {
  const document = parseJsonc(text, 'file ".mcp.json"');
  const servers = Object.entries(isObject(document) ? serverEntries(document) ?? {} : {});
  const all = await Promise.all(
    servers.map(([name, entry]) => describe(name, isObject(entry) ? entry : {}, place)),
  );
  return {
    lines: all.flatMap(({ lines }) => lines),
    print: all.flatMap(({ print }) => print === "" ? [] : [print]).join("\n"),
  };
}

async function describe(
  name: string,
  entry: Record<string, unknown>,
  place: ServersPlace,
): Promise<DescribedServers> {
  const { command, args, url, cwd, env, headers, bulkhead } = entry;
  const { files, packages, print } = await startedOf(entry, place);
  const rest = Object.entries(entry).filter(([field]) => !TOLD.includes(field));
  const inside = (path: string) => quoteWord(relative(place.folder, path));
  const told: [string, string][] = [
    ["starts", words(command, args)],
    ["reaches", shown(url)],
    ["in", shown(cwd)],
    ...named("variable", env),
    ...named("header", headers),
    ...named("asks for", bulkhead),
    ...rest.map(([field, value]): [string, string] => [field, shown(value)]),
    ["files", files.map(inside).join(" ")],
    ["packages", packages.map(inside).join(" ")],
  ];
  const lines = told.filter(([, text]) => text !== "").map(([what, text]) =>
    `  ${plain(what).padEnd(10)}${plain(text)}`
  );
  return { lines: [`server ${plain(name)}`, ...lines], print };
}

function words(command: unknown, args: unknown): string {
  const all = [command, ...Array.isArray(args) ? args : args === undefined ? [] : [args]];
  return all.filter((word) => word !== undefined)
    .map((word) => typeof word === "string" ? quoteWord(foldBlanks(word)) : shown(word)).join(" ");
}

/** Each of them is a line: a reader must find them all. */
function named(what: string, fields: unknown): [string, string][] {
  if (fields === undefined || fields === null) return [];
  if (!isObject(fields)) return [[what, shown(fields)]];
  return Object.entries(fields).map(([name, value]) => [what, `${name} ${shown(value)}`]);
}

function shown(value: unknown): string {
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value, (_, one) => one);
}

function plain(text: string): string {
  return wholeOnOneLine(foldBlanks(text));
}

/** It is read as it would be at the start, but nothing stops it: what is of a wrong type starts nothing. */
async function startedOf({ command, args, env, cwd }: Record<string, unknown>, place: ServersPlace) {
  const { folder, home } = place;
  const forms = CLIENTS.flatMap(({ variables }) => variables);
  const filled = (text: string) => {
    const found = fillIn(text, forms, { env: place.env, workspace: folder, home });
    return "text" in found ? found.text : text;
  };
  const texts = (list: unknown) =>
    Array.isArray(list) ? list.filter((text) => typeof text === "string").map(filled) : [];
  const [line = "", ...more] = typeof command === "string" ? [filled(command)] : texts(command);
  const variables = Object.entries(isObject(env) ? env : {}).flatMap(([key, value]) =>
    typeof value === "string" ? [[key, filled(value)]] : []
  );
  return await startedPrint({
    command: line,
    args: [...more, ...texts(args)],
    env: Object.fromEntries(variables),
    cwd: resolve(folder, typeof cwd === "string" ? filled(cwd) : "."),
  }, folder);
}
