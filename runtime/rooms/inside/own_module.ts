import process from "node:process";
import * as z from "zod";

import { ToolError } from "../../../schemas/error.ts";
import { isObject } from "../../../schemas/json/shape.ts";
import { defineTool } from "../../../schemas/own/define_tool.ts";
import { plainResult } from "../../../schemas/own/plain_result.ts";
import { sayThrown } from "../../../schemas/own/thrown_error.ts";
import type { ToolDefinition } from "../../../schemas/tool.ts";
import type { RoomModule } from "../profile.ts";
import { shared } from "./shared_modules.ts";
import { typeOf } from "./type_of.ts";

/** A tool as a module exports it. */
export interface ExportedTool {
  /** Where the module has it: `default`, `default[1]`, or a name. */
  exported: string;
  definition: unknown;
}

/** Longest part of a failure of foreign code that is told, in characters. */
const MAX_TOLD = 600;

let imported: Promise<Record<string, unknown>> | undefined;
/** The tools that were called, by their full names. */
const called = new Map<string, ToolDefinition>();

/**
 * Imports a module with tools of one's own into this room, which holds nothing else. The module finds the program's own
 * modules by a global symbol.
 *
 * @throws {ToolError} `invalid_input` if its code fails
 */
export async function importModule(code: string): Promise<Record<string, unknown>> {
  const zod = await wholeZod(code);
  Object.defineProperty(globalThis, shared.symbol, {
    value: { [shared.program]: { defineTool, ToolError, z: zod }, [shared.zod]: zod },
  });
  quietOutput();
  emptyEnvironment();
  refuseExit();
  try {
    return await import(`data:text/javascript;charset=utf-8,${encodeURIComponent(code)}`);
  } catch (error) {
    const told = sayThrown(error).replace(/data:text\/javascript\S*/g, "the file").slice(0, MAX_TOLD);
    throw new ToolError("invalid_input", `its code fails when it is imported: ${told}`);
  }
}

/** The compiled program has no texts of other languages in zod itself: all rooms would load them. */
async function wholeZod(code: string) {
  if (!code.includes("locales")) return z;
  const whole = { ...z, locales: await import("zod/locales") };
  return { ...whole, z: whole, default: whole };
}

/** Returns what a module exports, in its order: the default export, or a list of tools as it, and named exports. */
export function toolsOfModule(module: Record<string, unknown>): ExportedTool[] {
  const { default: main, ...named } = module;
  const first = Array.isArray(main)
    ? main.map((definition, at) => ({ exported: `default[${at}]`, definition }))
    : main === undefined
    ? []
    : [{ exported: "default", definition: main }];
  const others = Object.entries(named)
    .filter(([, definition]) => isObject(definition) && typeof definition.run === "function")
    .map(([exported, definition]) => ({ exported, definition }));
  // One tool may be exported twice.
  return [
    ...first,
    ...others.filter(({ definition }) => !first.some((one) => one.definition === definition)),
  ];
}

/**
 * Returns the tool that a call names, as rooms run it.
 *
 * @throws {ToolError} `conflict` if the module has no tool of this name any more
 */
export async function loadOwnTool(fullName: string, { code }: RoomModule): Promise<ToolDefinition> {
  const known = called.get(fullName);
  if (known) return known;
  const module = await (imported ??= importModule(code));
  const name = fullName.slice(fullName.indexOf("/") + 1);
  for (const { definition } of toolsOfModule(module)) {
    if (!isObject(definition) || String(definition.name).trim() !== name) continue;
    const tool = { ...asDefinition(definition, fullName), name };
    called.set(fullName, tool);
    return tool;
  }
  throw new ToolError(
    "conflict",
    `${fullName} is not there any more: its file says something else each time`,
  );
}

/** What the author left out is what is usual. The walls of the room are main's, whatever is said here. */
function asDefinition(definition: Record<string, unknown>, fullName: string): ToolDefinition {
  const given = definition as unknown as ToolDefinition;
  const { input = z.looseObject({}), output = z.any() } = definition;
  return {
    ...{ needs: {}, readOnly: false, parallel: false, limits: { timeoutMs: "none" as const } },
    ...given,
    ...{ input: typeOf(input) as ToolDefinition["input"], output: typeOf(output) },
    run: async (input, context) => plainResult(await given.run(input, context), fullName),
  };
}

/** What a tool prints must not stand between the messages of its room. */
function quietOutput(): void {
  const { console: shown } = globalThis;
  const { error } = shown;
  const { stdout, stderr } = Deno;
  Object.assign(stdout, {
    write: stderr.write.bind(stderr),
    writeSync: stderr.writeSync.bind(stderr),
  });
  Object.defineProperty(process, "stdout", { configurable: true, get: () => process.stderr });
  for (const name of ["log", "info", "debug", "warn", "dir", "table", "trace"] as const) {
    shown[name] = (...words: unknown[]) => error(...words);
  }
}

/** Packages read variables such as `NODE_ENV` when they are imported. One that was not granted is not set for them. */
function emptyEnvironment(): void {
  const { env } = process;
  const read = (name: string | symbol): unknown => {
    try {
      return Reflect.get(env, name);
    } catch {
      return undefined;
    }
  };
  const granted = new Proxy({}, {
    get: (_, name) => read(name),
    has: (_, name) => read(name) !== undefined,
  });
  process.env = Object.create(granted);
}

/** A worker that ends itself tells nobody, and its call would wait until its time is over. */
function refuseExit(): void {
  const exit = (): never => {
    throw new Error("a tool cannot end its process: return a result, or throw an error");
  };
  Object.assign(Deno, { exit });
  Object.assign(process, { exit });
  Object.assign(globalThis, { close: exit });
}
