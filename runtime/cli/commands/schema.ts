import type { Catalog, DescribedTool } from "../../calls/catalog/catalog.ts";
import { resolve } from "@std/path";

import { ToolError } from "../../../schemas/error.ts";
import { declareTools } from "../../../schemas/exports/declare_tools.ts";
import { exportTool } from "../../../schemas/json/export.ts";
import { compareLock, makeLock, parseLock } from "../../../schemas/json/lock.ts";
import type { ManifestEntry } from "../../../schemas/manifest.ts";
import { findTool } from "../../calls/catalog/find_tool.ts";
import { chooseTools } from "../../calls/catalog/choose_tools.ts";
import { onOneLine } from "../../text/strip_controls.ts";
import { namedFileError } from "../../walls/files/system_error.ts";
import { type Io, print, printError, userFolder } from "../io/io.ts";
import { jsonLine } from "../../text/json_line.ts";
import type { Options } from "../args/options/option_table.ts";
import { makeOutput, type Output } from "../io/output.ts";
import type { Invocation } from "../args/parse_argv.ts";
import { describedTools } from "../setup/described_tools.ts";

/** `schema [TOOL …]`, `schema lock FILE`, `schema check FILE`. */
export async function printSchema({ positionals, options }: Invocation, io: Io): Promise<number> {
  const [word, file] = positionals;
  using output = makeOutput(word === "lock" ? file : options.output, io, { form: "whole" });
  const catalog = await describedTools(options, io, { outputs: output.files });
  if (word === "lock") {
    return await writeLock(file!, { entries: locked(catalog, options), io, options, output });
  }
  if (word === "check") return await checkLock(file!, { entries: locked(catalog, options), io, options });
  const tools = positionals.length > 0
    ? positionals.map((name) => findTool(catalog, name)).map((entry) => ({ entry, name: entry.tool.name }))
    : chooseTools(catalog, choiceOf(options));
  const format = options.format ?? "json-schema";
  await output.write(
    format === "typescript"
      ? declareTools(tools.map(({ entry, name }) => ({ entry: entry.tool, name })))
      : `${
        JSON.stringify(tools.map(({ entry, name }) => exportTool(entry.tool, format, { name })), null, 2)
      }\n`,
  );
  return 0;
}

function choiceOf(options: Options) {
  return { toolsets: options.toolset ?? [], tools: options.tool ?? [], extraTools: options.extraTool ?? [] };
}

/** A lock holds every tool, unless flags choose some. */
function locked(catalog: Catalog<DescribedTool>, options: Options): ManifestEntry[] {
  const isChosen = options.tool || options.toolset || options.extraTool;
  const entries = isChosen
    ? chooseTools(catalog, choiceOf(options)).map(({ entry }) => entry)
    : catalog.entries;
  return entries.map(({ tool }) => tool);
}

async function writeLock(
  file: string,
  { entries, io, options, output }: {
    entries: readonly ManifestEntry[];
    io: Io;
    options: Options;
    output: Output;
  },
): Promise<number> {
  await output.write(`${JSON.stringify(makeLock(entries), null, 2)}\n`);
  if (!options.quiet) await printError(io, `Locked ${entries.length} tools in ${file}\n`);
  return 0;
}

async function checkLock(
  file: string,
  { entries, io, options }: { entries: readonly ManifestEntry[]; io: Io; options: Options },
): Promise<number> {
  const changes = compareLock(parseLock(await readLock(file, io), file), makeLock(entries));
  if (options.json) await print(io, jsonLine({ ok: changes.length === 0, changes }));
  else if (changes.length === 0) {
    await print(io, `No drift: ${entries.length} tools are as locked in ${file}\n`);
  } else await print(io, changes.map(({ detail }) => `${onOneLine(detail)}\n`).join(""));
  return changes.length === 0 ? 0 : 1;
}

async function readLock(file: string, io: Io): Promise<string> {
  try {
    return await Deno.readTextFile(resolve(userFolder(io), file));
  } catch (error) {
    const { code, message, details } = namedFileError(error, "read", file);
    const hint = `${message}; make it with: bulkhead schema lock ${file}`;
    throw new ToolError(code, hint, { details, cause: error });
  }
}
