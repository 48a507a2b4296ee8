import { ToolError } from "../../../schemas/error.ts";
import { describeMismatch, repairInput } from "../../../schemas/json/repair.ts";
import type { JsonSchema, ManifestEntry } from "../../../schemas/manifest.ts";
import type { ToolResult } from "../../../schemas/result.ts";
import type { Carrier } from "../../calls/catalog/carrier.ts";
import type { OfferedTool } from "../../calls/catalog/choose_tools.ts";
import { failedResult, toToolError } from "../../calls/failed_result.ts";
import { plural } from "../../text/plural.ts";
import { type FoundTool, makeToolIndex, type SearchedTool, type ToolIndex } from "./tool_index.ts";

/** The full name of the tool that finds others, and its name for models. */
export const SEARCH_TOOL = { fullName: "agent/search_tools", name: "search_tools" } as const;

/** How many tools a search finds unless the model says otherwise, and at most. */
const USUAL = 5;
const MOST = 20;
/** How much of a description is told of a tool that was found, in characters: it comes whole with the next request. */
const TOLD = 200;
/** How many toolsets are named. */
const MAX_SETS = 30;

const INPUT: JsonSchema = {
  type: "object",
  properties: {
    query: {
      type: "string",
      minLength: 1,
      description: 'Key words in English for what the tool should do ("resize image"), or the name of a tool',
    },
    limit: {
      type: "integer",
      minimum: 1,
      maximum: MOST,
      default: USUAL,
      description: "How many tools to open at most",
    },
  },
  required: ["query"],
  additionalProperties: false,
};

const OUTPUT: JsonSchema = {
  type: "object",
  properties: {
    opened: {
      type: "array",
      items: {
        type: "object",
        properties: { name: { type: "string" }, description: { type: "string" } },
        required: ["name", "description"],
        additionalProperties: false,
      },
    },
    total: { type: "integer" },
  },
  required: ["opened", "total"],
  additionalProperties: false,
};

/** What a search opened. */
interface Opened {
  opened: { name: string; description: string }[];
  /** How many tools there are to be found. */
  total: number;
}

/**
 * Adds the tool that finds the others, if there are more of them than a request should have.
 *
 * @param most How many tools go with every request
 * @param current The tools of now, which may be more than at first. @default those
 * @returns The same tools, if all of them may go
 * @throws {ToolError} `configuration` if another tool has its name
 */
export function withSearch(
  offered: readonly OfferedTool[],
  most: number,
  current: () => readonly OfferedTool[] = () => offered,
): readonly OfferedTool[] {
  if (offered.length <= most || offered.some(isSearch)) return offered;
  const other = offered.find(({ name }) => name === SEARCH_TOOL.name);
  if (other) {
    throw new ToolError(
      "configuration",
      `${other.entry.tool.full_name} is offered as ${SEARCH_TOOL.name}, and that is the tool which finds others when ` +
        `there are more than ${most}: offer it under another name, or all tools at once with --max-tools=${offered.length}`,
    );
  }
  return [
    { entry: { tool: searchEntry(offered), carrier: searchCarrier(current) }, name: SEARCH_TOOL.name },
    ...offered,
  ];
}

/** Says whether a tool is the search. */
function isSearch({ entry: { tool } }: OfferedTool): boolean {
  return tool.full_name === SEARCH_TOOL.fullName;
}

/** Says whether requests have a tool before anything was searched, where there is a search. */
export function isOpenAtStart(
  { full_name, ends_run }: Pick<ManifestEntry, "full_name" | "ends_run">,
): boolean {
  return ends_run !== null || full_name === SEARCH_TOOL.fullName;
}

/** Returns the names of the tools that a call of the search opens. */
export function openedBy(input: unknown, index: ToolIndex<SearchedTool>): string[] {
  const { value } = repairInput(INPUT, input);
  if (describeMismatch(INPUT, value).length > 0) return [];
  return find(value, index).map(({ tool }) => tool.name);
}

/** Makes the index of offered tools; the search itself is not in it. */
export function indexOf(tools: readonly SearchedTool[]): ToolIndex<SearchedTool> {
  return makeToolIndex(tools.filter(({ name }) => name !== SEARCH_TOOL.name));
}

function find(value: unknown, index: ToolIndex<SearchedTool>): FoundTool<SearchedTool>[] {
  const { query, limit = USUAL } = value as { query: string; limit?: number };
  return index.search(query, limit);
}

/** Its calls touch nothing, so they run where the tools are known: in this process. */
function searchCarrier(current: () => readonly OfferedTool[]): Carrier {
  const searched = searchedTools(current);
  const facts = { targets: [], analyses: [], programs: [], connections: [] };
  return {
    call(tool, input) {
      const started = performance.now();
      const elapsed = () => Math.round(performance.now() - started);
      try {
        const { value, warnings } = checked(input);
        const { index, total } = searched();
        const opened = find(value, index).map(({ tool: { name, description } }) => ({ name, description }));
        const output = { opened, total };
        return Promise.resolve({
          result: resultOf(tool, output, { warnings, durationMs: elapsed() }),
          facts,
        });
      } catch (error) {
        const info = toToolError(error).toInfo();
        return Promise.resolve({ result: failedResult(tool, info, { durationMs: elapsed() }), facts });
      }
    },
    explain(_tool, input) {
      const nothing = { targets: [], analyses: [], preview: null };
      try {
        return Promise.resolve({ ...nothing, warnings: checked(input).warnings, error: null });
      } catch (error) {
        return Promise.resolve({ ...nothing, warnings: [], error: toToolError(error).toInfo() });
      }
    },
  };
}

/** What is searched is made ready anew when there are more tools. */
function searchedTools(
  current: () => readonly OfferedTool[],
): () => { index: ToolIndex<SearchedTool>; total: number } {
  let last: { of: readonly OfferedTool[]; index: ToolIndex<SearchedTool>; total: number } | null = null;
  return () => {
    const of = current();
    if (last?.of !== of) {
      const tools = of.filter((one) => !isSearch(one)).map(({ entry: { tool }, name }) => (
        { name, description: tool.description, parameters: tool.input_schema }
      ));
      last = { of, index: indexOf(tools), total: tools.length };
    }
    return last;
  };
}

function checked(input: unknown): { value: unknown; warnings: string[] } {
  const { value, warnings } = repairInput(INPUT, input);
  const [problem] = describeMismatch(INPUT, value);
  if (problem !== undefined) throw new ToolError("invalid_input", problem);
  return { value, warnings };
}

function resultOf(
  { full_name }: ManifestEntry,
  output: Opened,
  { warnings, durationMs }: { warnings: string[]; durationMs: number },
): ToolResult {
  return {
    tool_name: full_name,
    ok: true,
    result: output,
    text: textOf(output),
    images: [],
    artifacts: [],
    warnings,
    error: null,
    metadata: {
      duration_ms: durationMs,
      place: "none",
      summary: `${plural(output.opened.length, "tool")} opened`,
    },
  };
}

function textOf({ opened, total }: Opened): string {
  if (opened.length === 0) return `None of the ${total} tools fits these words: try other ones, or fewer.`;
  const lines = opened.map(({ name, description }) => `- ${name}: ${firstWords(description)}`);
  return `Opened, to be called from your next reply on:\n${lines.join("\n")}`;
}

function firstWords(description: string): string {
  const line = description.replace(/\s+/g, " ").trim();
  return line.length > TOLD ? `${line.slice(0, TOLD)}…` : line;
}

function searchEntry(offered: readonly OfferedTool[]): ManifestEntry {
  const description =
    `Finds tools and opens them: those that it names can be called from your next reply on, and stay ` +
    `open. There are ${offered.length} tools, and only the open ones are shown to you: look here before you say that ` +
    `something cannot be done. They come from ${setsOf(offered)}.`;
  return {
    full_name: SEARCH_TOOL.fullName,
    toolset: "agent",
    name: SEARCH_TOOL.name,
    description,
    description_start: description,
    see_also: [],
    error_lead: "",
    needs: {},
    read_only: true,
    parallel: true,
    killable: false,
    threads: 0,
    optional: true,
    leaves_files: false,
    asks_model: false,
    asks: false,
    interprets: false,
    ends_run: null,
    settings: [],
    secrets: [],
    outside: false,
    limits: { timeout_ms: null, concurrency: null },
    permission: "allow",
    trial: null,
    examples: [],
    prompt_hints: [],
    reads_on: null,
    paths: [],
    typed_argument: null,
    input_schema: INPUT,
    output_schema: OUTPUT,
  };
}

/** The toolsets with the numbers of their tools. */
function setsOf(offered: readonly OfferedTool[]): string {
  const counts = new Map<string, number>();
  for (const { entry: { tool: { toolset } } } of offered) counts.set(toolset, (counts.get(toolset) ?? 0) + 1);
  const sets = [...counts].map(([name, count]) => `${name} (${count})`);
  return sets.length > MAX_SETS ? `${sets.slice(0, MAX_SETS).join(", ")} and others` : sets.join(", ");
}
