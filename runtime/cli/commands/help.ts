import { ToolError } from "../../../schemas/error.ts";
import type { Manifest } from "../../../schemas/manifest.ts";
import { didYouMean, nearest } from "../../../schemas/nearest.ts";
import { type Catalog, describedCatalog, type DescribedTool } from "../../calls/catalog/catalog.ts";
import { findTool } from "../../calls/catalog/find_tool.ts";
import { commandOf, HELP_SUBJECTS, isCommand } from "../args/command_table.ts";
import type { Options } from "../args/options/option_table.ts";
import type { Invocation } from "../args/parse_argv.ts";
import { isTopic } from "../args/topic_table.ts";
import { FIRST_WORDS, renderHelp } from "../help/render_help.ts";
import { type Io, print } from "../io/io.ts";
import { canvasOf } from "../show/markdown/canvas_of.ts";
import type { Canvas } from "../show/markdown/spans.ts";

/** Where a topic goes that no terminal shows. */
const PAPER: Canvas = { columns: 80, colors: false };

/** `help [COMMAND [WORD]|TOPIC|TOOL]`, `--help` with any command, and the program without one. */
export async function printHelp(
  { command, positionals: [word, next], options }: Invocation,
  io: Io,
): Promise<number> {
  const manifest = await io.manifest();
  if (command === "help" && word !== undefined && next !== undefined) {
    return await printHelp(ofCommand(word, next, options), io);
  }
  if (command === null && options.help === undefined) await print(io, FIRST_WORDS);
  else if (word === undefined || command === null) {
    await print(io, renderHelp(command === "help" ? null : command, manifest.command_examples, options.help));
  } else if (command === "help") {
    await print(
      io,
      await renderSubject(word, {
        manifest,
        catalog: await catalogFor(word, options, io, { servers: false }),
        canvas: { ...canvasOf(io, options) ?? PAPER, keepsLines: false },
      }),
    );
  } else {
    const { positionals: [first], actions = {} } = commandOf(command);
    const isTool = first === "tool" && !Object.hasOwn(actions, word);
    await print(
      io,
      isTool
        ? await renderTool(word, await catalogFor(word, options, io))
        : renderHelp(command, manifest.command_examples, options.help),
    );
  }
  return 0;
}

/** `help COMMAND WORD` is `COMMAND WORD --help`. */
function ofCommand(command: string, word: string, options: Options): Invocation {
  if (isCommand(command) && command !== "help") return { command, positionals: [word], options };
  throw new ToolError(
    "invalid_input",
    `Unexpected word ${
      JSON.stringify(word)
    }: only a command may be followed by another word, as in help mcp serve`,
  );
}

/** The built-in tools, and for a word that means none of them those of the sources as well. */
async function catalogFor(
  word: string,
  options: Options,
  io: Io,
  { servers = true } = {},
): Promise<Catalog<DescribedTool>> {
  const builtIn = describedCatalog(await io.manifest());
  const isKnown = builtIn.entries.some(({ tool }) =>
    [tool.name, tool.full_name].some((name) => name.toLowerCase() === word.toLowerCase())
  );
  if (isKnown || isTopic(word) || isCommand(word)) return builtIn;
  const { describedTools } = await import("../setup/described_tools.ts");
  return await describedTools(options, io, { servers });
}

/** A topic wins over a command, and both over a tool; what else has this name is named below. */
async function renderSubject(
  word: string,
  { manifest, catalog, canvas }: { manifest: Manifest; catalog: Catalog<DescribedTool>; canvas: Canvas },
): Promise<string> {
  const tools = catalog.entries.filter(({ tool }) => tool.name === word || tool.full_name === word);
  const also = tools.map(({ tool }) => `There is a tool of this name too: bulkhead help ${tool.full_name}\n`);
  if (word === "help") return renderHelp(null, manifest.command_examples);
  if (isTopic(word)) {
    if (isCommand(word)) also.push(`There is a command of this name too: bulkhead ${word} --help\n`);
    const { renderTopic } = await import("../help/render_topic.ts");
    return [await renderTopic(word, canvas), ...also].join("\n");
  }
  if (isCommand(word)) return [renderHelp(word, manifest.command_examples), ...also].join("\n");
  const names = catalog.entries.map(({ tool }) => word.includes("/") ? tool.full_name : tool.name);
  if (names.some((name) => name.toLowerCase() === word.toLowerCase())) return await renderTool(word, catalog);
  const { systemCalled } = await import("../../coming/systems.ts");
  const system = systemCalled(word);
  if (system !== undefined) return await renderSubject(system, { manifest, catalog, canvas });
  if (/^mcp[_/]/.test(word)) {
    throw new ToolError(
      "invalid_input",
      "For help no MCP server is started: see the arguments of its tools with bulkhead call TOOL --help",
    );
  }
  const candidates = nearest(word, [...HELP_SUBJECTS, ...names]);
  const shown = JSON.stringify(word.length > 60 ? `${word.slice(0, 60)}…` : word);
  const hint = candidates.length > 0 ? didYouMean(candidates) : `: there are ${HELP_SUBJECTS.join(", ")},`;
  throw new ToolError(
    "invalid_input",
    `Unknown command, topic or tool ${shown}${hint} ${
      candidates.length > 0 ? "See" : "and the tools, see"
    }: bulkhead tools`,
    { details: { candidates } },
  );
}

async function renderTool(word: string, catalog: Catalog<DescribedTool>): Promise<string> {
  const { tool } = findTool(catalog, word);
  const { toolHelp } = await import("../help/tool_help.ts");
  return toolHelp(catalog, tool);
}
