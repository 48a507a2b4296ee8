import { assertEquals } from "@std/assert";
import { isAbsolute, join } from "@std/path";

import type { Browser } from "../../schemas/browser/browser.ts";
import type { ModelQuestion, Question, ToolContext, Web } from "../../schemas/context.ts";
import type { Desktop } from "../../schemas/desktop/desktop.ts";
import { type ErrorInfo, ToolError } from "../../schemas/error.ts";
import type { FileGrants } from "../../schemas/grants.ts";
import type { Programs } from "../../schemas/program.ts";
import type { Told, ToolDefinition } from "../../schemas/tool.ts";
import { makeArtifactFolder } from "../../runtime/state/artifact_folder.ts";
import { ArtifactWriter } from "../../runtime/state/artifact_writer.ts";
import { HeldNames } from "../../runtime/state/held_names.ts";
import { ignoreLists } from "../../runtime/programs/git/ignore_lists.ts";
import { realOrNull } from "../../runtime/walls/files/file_facts.ts";
import { createGuard } from "../../runtime/walls/files/guard.ts";
import type { ProgramCall, ProgramHost } from "../../runtime/programs/process/program_host.ts";
import { noPrograms } from "./no_programs.ts";
import { testProgramHost } from "./test_program_host.ts";
import { readers } from "../../tools/mod.ts";
import { fileGrants } from "./walls/file_grants.ts";

export interface Ran {
  ok: boolean;
  text: string;
  // deno-lint-ignore no-explicit-any
  result: any;
  error: ErrorInfo | null;
  warnings: string[];
  images: Picture[];
}

const NO_BROWSER: Browser = { act: () => Promise.reject(new Error("this test starts no browser")) };
const NO_DESKTOP: Desktop = { act: () => Promise.reject(new Error("this test starts no desktop")) };

/** A user who has set nothing. */
export const UNTOLD: Told = { settings: {}, keys: [] };

type Picture = Parameters<ToolContext["attach"]>[0];

export interface RunOptions extends Partial<FileGrants> {
  /** Longest time of the call, in milliseconds. @default the tool's own */
  timeoutMs?: number;
  /** The user's variables. @default none */
  settings?: Record<string, string>;
  /** What answers requests to the network. @default all fail */
  web?: Web;
  /** The browser of the session. @default none can be started */
  browser?: Browser;
  /** The desktop of the session. @default none can be started */
  desktop?: Desktop;
  /** Names of keys that the user has set. @default none */
  keys?: readonly string[];
  /** Names of the tools that are offered beside this one. @default all */
  offered?: readonly string[] | null;
  /** What a person says to a question. @default nobody is there */
  answer?: ((question: Question) => Promise<string | null> | string | null) | null;
  /** What the model answers. @default there is no model */
  model?: ((question: ModelQuestion) => Promise<string | null> | string | null) | null;
}

/**
 * A folder of its own for one test, removed at the end: `using ws = workspace({ "a.txt": "text" })`. A test that starts
 * programs says `await using`, so that they are ended.
 */
export function workspace(files: Record<string, string | Uint8Array> = {}) {
  const path = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "bulkhead-test-" }));
  const state = new Map<string, unknown>();
  let host: ProgramHost | undefined;
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
    run: (tool: unknown, input: unknown, options: RunOptions = {}) => {
      const definition = tool as ToolDefinition;
      if (definition.needs.run !== undefined) host ??= testProgramHost(path);
      return runTool(definition, input, { root: path, state, host, options });
    },
    [Symbol.dispose]: () => Deno.removeSync(path, { recursive: true }),
    async [Symbol.asyncDispose]() {
      await host?.end();
      Deno.removeSync(path, { recursive: true });
    },
  };
}

export type Workspace = ReturnType<typeof workspace>;

/** What a tool refuses, with which code, and the words that the model reads. */
export type Refusal = readonly [input: Record<string, unknown>, code: string, text: string];

/** @param lead What stands before the words of each refusal */
export async function assertRefuses(
  ws: Workspace,
  tool: unknown,
  lead: string,
  refusals: readonly Refusal[],
) {
  for (const [input, code, words] of refusals) {
    const { error, text } = await ws.run(tool, input);
    assertEquals([error?.code, text], [code, lead + words], JSON.stringify(input));
  }
}

interface Scene {
  root: string;
  state: Map<string, unknown>;
  host: ProgramHost | undefined;
  options: RunOptions;
}

async function runTool(tool: ToolDefinition, input: unknown, scene: Scene): Promise<Ran> {
  const {
    root,
    state,
    host,
    options: {
      settings = {},
      web = noWeb,
      browser = NO_BROWSER,
      desktop = NO_DESKTOP,
      keys = [],
      offered = null,
      answer = null,
      model = null,
      timeoutMs: asked,
      ...grants
    },
  } = scene;
  const usual = tool.limits.timeoutMs === "none" ? 60_000 : tool.limits.timeoutMs;
  const timeoutMs = asked ?? usual;
  const images: Picture[] = [];
  const warnings: string[] = [];
  const warn = (message: string) => void warnings.push(message);
  const stop = new AbortController();
  const timedOut = () => stop.abort(new ToolError("timeout", `It took longer than ${timeoutMs} ms`));
  const timer = setTimeout(timedOut, timeoutMs);
  const context: ToolContext = {
    workspace: root,
    home: "/nonexistent-home",
    files: createGuard({ ...fileGrants(root), ...grants }, "test"),
    signal: stop.signal,
    deadline: Date.now() + timeoutMs,
    progress: () => {},
    warn,
    session: {
      get: (key) => Promise.resolve(structuredClone(state.get(key))),
      set: (key, value) => Promise.resolve(void state.set(key, structuredClone(value))),
      async alone(name, work) {
        using _ = await namesOf(state).hold(name, stop.signal);
        return await work();
      },
    },
    programs: host
      ? hostPrograms(host, {
        toolset: "test",
        interprets: tool.interprets ?? false,
        onAnalysis: () => {},
        signal: stop.signal,
        onProgram: () => {},
        onArtifact: () => {},
        warn,
      })
      : noPrograms,
    threads: [],
    modelName: null,
    bytes: new Uint8Array(),
    settings,
    toolName: (name) => offered === null || offered.includes(name) ? name : null,
    attach: (picture) => void images.push(picture),
    artifacts: testArtifacts(root),
    browser,
    desktop,
    documents: testDocuments(root, stop.signal),
    ignoreLists: (top) => Promise.resolve(ignoreLists(top, { home: "", env: {} })),
    web,
    keys,
    ask: async (question) => await answer?.(question) ?? null,
    askModel: async (question) => await model?.(question) ?? null,
  };
  try {
    const result = tool.output.parse(await tool.run(tool.input.parse(input), context));
    const text = tool.text ? tool.text(result) : typeof result === "string" ? result : JSON.stringify(result);
    return { ok: true, text, result, error: null, warnings, images };
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    const info = error.toInfo();
    return {
      ok: false,
      text: tool.errorText?.(info) ?? info.message,
      result: null,
      error: info,
      warnings,
      images,
    };
  } finally {
    clearTimeout(timer);
  }
}

/** The names that calls of a state hold. */
const NAMES = new WeakMap<Map<string, unknown>, HeldNames>();

function namesOf(state: Map<string, unknown>): HeldNames {
  const names = NAMES.get(state) ?? new HeldNames();
  NAMES.set(state, names);
  return names;
}

const noWeb: Web = { request: ({ url }) => Promise.reject(new Error(`unexpected request of ${url}`)) };

/** Artifacts go to a folder of the workspace, as in one session. */
function testArtifacts(root: string): ToolContext["artifacts"] {
  const path = join(root, ".artifacts");
  return new ArtifactWriter(makeArtifactFolder(() => path, { made: realOrNull(path) }), () => {});
}

/** Readers work in this process. */
function testDocuments(root: string, signal: AbortSignal): ToolContext["documents"] {
  return {
    async read(name, bytes, { input }) {
      const reader = (await readers[`reader/${name}` as keyof typeof readers]())
        .default as unknown as ToolDefinition;
      const given = reader.input.parse(input);
      const context = {
        signal,
        bytes,
        deadline: Infinity,
        progress() {},
        artifacts: testArtifacts(root),
        threads: [],
        modelName: null,
      };
      return reader.output.parse(await reader.run(given, context as unknown as ToolContext));
    },
  };
}

function hostPrograms(host: ProgramHost, call: ProgramCall): Programs {
  return {
    run: (run) => host.run(run, call),
    open: (spec) => host.open(spec, call),
    command: (id, script) => host.command(id, script, call),
    write: (id, data) => host.write(id, data, call),
    read: (id, read) => host.read(id, read, call),
    signal: (id, signal) => host.signal(id, signal, call),
    close: (id, options) => host.close(id, options, call),
    screen: (id) => host.screen(id, call),
    keepScreen: (id, kept) => host.keepScreen(id, kept, call),
    serveApart: () => Promise.resolve("http://127.0.0.1:1/token/"),
  };
}
