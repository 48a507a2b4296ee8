import { isAbsolute, join } from "node:path";

import type { ToolContext } from "../schemas/context.ts";
import { type ErrorInfo, ToolError } from "../schemas/error.ts";
import type { FileGrants } from "../schemas/grants.ts";
import type { ToolDefinition } from "../schemas/tool.ts";
import { createGuard } from "../runtime/guard.ts";

/** What a tool gave, as a test looks at it. */
export interface Ran {
  ok: boolean;
  text: string;
  // deno-lint-ignore no-explicit-any
  result: any;
  error: ErrorInfo | null;
  warnings: string[];
}

/** A folder of its own for one test, removed at the end: `using ws = workspace({ "a.txt": "text" })`. */
export function workspace(files: Record<string, string | Uint8Array> = {}) {
  const path = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "bulkhead-test-" }));
  const state = new Map<string, unknown>();
  for (const [name, content] of Object.entries(files)) {
    const at = join(path, name);
    Deno.mkdirSync(join(at, ".."), { recursive: true });
    if (typeof content === "string") Deno.writeTextFileSync(at, content);
    else Deno.writeFileSync(at, content);
  }
  return {
    path,
    /** Absolute path of a name in the folder. */
    at: (name: string) => isAbsolute(name) ? name : join(path, name),
    read: (name: string) => Deno.readTextFileSync(join(path, name)),
    bytes: (name: string) => Deno.readFileSync(join(path, name)),
    /** Runs a tool in this process with the workspace granted for reading and writing; state is kept between calls. */
    run: (tool: unknown, input: unknown, grants: Partial<FileGrants> = {}) =>
      runTool(tool as ToolDefinition, input, path, state, grants),
    [Symbol.dispose]: () => Deno.removeSync(path, { recursive: true }),
  };
}

async function runTool(
  tool: ToolDefinition,
  input: unknown,
  root: string,
  state: Map<string, unknown>,
  grants: Partial<FileGrants>,
): Promise<Ran> {
  const warnings: string[] = [];
  const context: ToolContext = {
    workspace: root,
    home: "/nonexistent-home",
    files: createGuard({ ...defaultGrants(root), ...grants }, "test"),
    signal: new AbortController().signal,
    deadline: Date.now() + tool.limits.timeoutMs,
    progress: () => {},
    warn: (message) => warnings.push(message),
    session: {
      get: (key) => Promise.resolve(structuredClone(state.get(key))),
      set: (key, value) => Promise.resolve(void state.set(key, structuredClone(value))),
    },
    threads: [],
  };
  try {
    const result = tool.output.parse(await tool.run(tool.input.parse(input), context));
    const text = tool.text ? tool.text(result) : typeof result === "string" ? result : JSON.stringify(result);
    return { ok: true, text, result, error: null, warnings };
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    const info = error.toInfo();
    return { ok: false, text: tool.errorText?.(info) ?? info.message, result: null, error: info, warnings };
  }
}

function defaultGrants(root: string): FileGrants {
  return {
    workspace: root,
    home: "",
    read: [root],
    write: [root],
    denyRead: [],
    denyWrite: [],
    secrets: [],
    writeNamed: [],
    aliases: [],
  };
}
