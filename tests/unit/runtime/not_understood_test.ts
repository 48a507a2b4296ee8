import { assert, assertEquals, assertRejects, assertStringIncludes, assertThrows } from "@std/assert";

import {
  createAgent,
  createRunner,
  type HereTool,
  type Model,
  type RunnerOptions,
  Toolbox,
  toolSchemas,
} from "../../../runtime/mod.ts";
import { serveMcp } from "../../../runtime/mcp/mod.ts";
import { makeJudge } from "../../../runtime/programs/launch/judge_command.ts";
import { stateAnswers } from "../../../runtime/calls/answers/state.ts";
import { ToolError } from "../../../schemas/error.ts";
import { ANSWERS } from "../../../schemas/own/answers.ts";
import { workspace } from "../../support/run_tool.ts";

const README = new URL("../../../runtime/README.md", import.meta.url);

Deno.test("a function that has the name of a built-in tool is refused when it is given, but beside a complete set", async () => {
  using ws = workspace();
  const workspaceOf = { workspace: ws.path, config: false } as const;
  for (const name of ["Read", "bash"]) {
    const here: HereTool[] = [{ name, description: "Mine.", run: () => "mine" }];
    for (
      const make of [
        () => createRunner({ ...workspaceOf, here }),
        () => createAgent({ ...workspaceOf, extraTools: here }),
      ]
    ) {
      const { message } = assertThrows(make, ToolError);
      assertStringIncludes(message, `A function is named ${name}, and that means the built-in tool harness/`);
    }
  }
  const [read] = [{ name: "Read", description: "Mine.", run: () => "mine" }];
  await using _agent = createAgent({
    ...workspaceOf,
    model: { name: "x", baseUrl: "http://127.0.0.1:9", apiKey: "" },
    tools: [read],
  });
});

/** Answers that are of no form at all. */
const ODD: readonly unknown[] = [
  0,
  "no",
  "Deny",
  [],
  { error: "no" },
  { refuse: 5 },
  { no: true, once: true },
  new Error("no"),
  new Map([["refuse", "no"]]),
  Symbol("no"),
  () => false,
  NaN,
  { argv: ["rm", "-r", "x"] },
];

/** Options that are wrong for each maker, beside those for all. */
const WRONG_OPTIONS: readonly Record<string, unknown>[] = [
  { polcy: "read-only" },
  { sandbox: "Require" },
  { policy: { base: "coder", allow_write: false } },
  { policy: { base: "coder", wirte: false } },
  { policy: { base: "coder", write: "false" } },
  { policy: { base: "coder", filter: "deny all" } },
  { deny: { raed: true } },
  { deny: "touch" },
  { permissions: { "par/echo": "Deny" } },
  { permissions: { "par/echo": undefined } },
  { permissions: { "par/echo": { roles: "x" } } },
  { permissions: { "par/echo": { Role_based: ["x"] } } },
  { hooks: [{ befor: () => ({ refuse: "no" }) }] },
  { toolLimits: { "par/echo": { timeout_second: 1 } } },
  { maxCallMs: -1 },
  { programs: { memory_mb: "64" } },
  { config: "none" },
  { confirm: true },
  { permissions: new Map([["par/echo", "deny"]]) },
  { deny: new Map([["read", true]]) },
  { mcpServers: { s: { command: "x", bulkhead: { raed: true } } } },
  // No number of right words hides a wrong one.
  {
    permissions: {
      ...Object.fromEntries(Array.from({ length: 12_000 }, (_, n) => [`own/t${n}`, "deny"])),
      "own/x": "Deny",
    },
  },
];

/** Gives the answer of the moment. */
type Give = () => never;
/** Has a place answer, and returns the message of the refusal. */
type Look = () => Promise<string>;

/** Where a place is looked at; what is opened there is closed at its end. */
interface Scene {
  path: string;
  opened: AsyncDisposableStack;
}

/** A runner with one function, whose call is refused. */
function callOf(
  options: Partial<RunnerOptions>,
  { path, opened }: Scene,
  tool: Partial<HereTool> = {},
): Look {
  let runs = 0;
  const act = { name: "act", description: "Act.", run: () => ++runs, ...tool };
  const runner = opened.use(
    createRunner({ workspace: path, sandbox: "off", config: false, here: [act], ...options }),
  );
  return async () => {
    const { ok, text } = await runner.call("here/act", {});
    const mayRun = options.hooks?.[0]?.after !== undefined;
    assertEquals([ok, mayRun || runs === 0], [false, true]);
    return text;
  };
}

function modelOf(complete: Give, { path, opened }: Scene): Look {
  const own: Model = { name: "own", complete, [Symbol.asyncDispose]: () => Promise.resolve() };
  const options = { workspace: path, model: own, keep: false, tools: [], config: false as const };
  const agent = opened.use(createAgent(options));
  return async () => {
    const { error, termination_reason } = await agent.run("Go");
    assertEquals(termination_reason === "completed", false);
    return error?.message ?? "";
  };
}

function filterOf(filter: Give): Look {
  const grants = { commands: { name: "mine", level: "free", allow: [], deny: [] }, deny: { run: [] } };
  const analysis = { commands: [], opaque: [], rules: [], risk: "low" as const };
  const judge = makeJudge(grants as never, () => Promise.resolve(analysis), filter);
  const call = { interprets: false, onAnalysis() {} };
  return async () => (await assertRejects(() => judge({ argv: ["touch", "x"] }, call), ToolError)).message;
}

function storeOf(kind: "state.get" | "state.hold", give: Give): Look {
  const late = () => Promise.resolve(give());
  const answers = stateAnswers({ set: () => Promise.resolve(), get: late, hold: late });
  const call = { tool: { toolset: "par" }, program: { signal: new AbortController().signal } } as never;
  const asked = () => answers[kind]!({ kind, key: "k" } as never, call);
  return async () => (await assertRejects(asked, ToolError)).message;
}

/** Looks at each place of the table that answers. */
const PLACES: Readonly<Record<string, (give: Give, scene: Scene) => Look>> = {
  "policy.filter": filterOf,
  permissions: (give, scene) => callOf({ permissions: { "here/act": give } }, scene),
  "hooks.before": (give, scene) => callOf({ hooks: [{ before: give }] }, scene),
  "hooks.after": (give, scene) => callOf({ hooks: [{ after: give }] }, scene),
  confirm: (give, scene) => callOf({ permissions: { "here/act": "confirm" }, confirm: give }, scene),
  ask: (ask, { path, opened }) => {
    const runner = opened.use(createRunner({ workspace: path, sandbox: "off", config: false, ask }));
    return async () => (await runner.call("manus/ask_human", { inquire: "Well?" })).error?.message ?? "";
  },
  here: (give, scene) => callOf({}, scene, { run: () => ({ odd: give() }) }),
  "here.text": (text, scene) => callOf({}, scene, { run: () => 1, text }),
  validate: (validate, scene) => {
    const jsonSchema = { input: () => ({ type: "object" }) };
    const input = { "~standard": { version: 1 as const, vendor: "test", validate, jsonSchema } };
    return callOf({}, scene, { input });
  },
  "model.complete": modelOf,
  "session.get": (give) => storeOf("state.get", give),
  "session.hold": (give) => storeOf("state.hold", give),
};

/** The makers of the table, and their options that are all right. */
const MAKERS: Readonly<Record<string, (wrong: object, path: string) => unknown>> = {
  "createRunner(options)": (wrong, path) => createRunner({ workspace: path, ...wrong }),
  "createAgent(options)": (wrong, path) => {
    const { policy, deny, sandbox, ...others } = wrong as Record<string, never>;
    const grants = Object.fromEntries(
      Object.entries({ policy, deny, sandbox }).filter(([, one]) => one !== undefined),
    );
    return createAgent({ workspace: path, model: "m", ...others, grants });
  },
  "new Toolbox(options)": (wrong, path) => new Toolbox({ workspaceRoot: path, ...wrong }),
  "serveMcp(options)": (wrong, path) => serveMcp({ workspace: path, ...wrong }),
};
/** What goes with single calls: each with its wrong words. */
const CALLS: Readonly<Record<string, (wrong: never, path: string) => unknown>> = {
  "runner.call(…, options)": async (wrong, path) => {
    await using runner = createRunner({ workspace: path, config: false });
    await runner.call("Read", { path: "." }, wrong);
  },
  "agent.run(…, options)": async (wrong, path) => {
    await using agent = createAgent({
      workspace: path,
      model: "m",
      env: { OPENAI_API_KEY: "k" },
      config: false,
    });
    await agent.run("Go", wrong);
  },
  "toolbox.invoke(…, options)": async (wrong, path) => {
    await using toolbox = new Toolbox({ workspaceRoot: path, config: false });
    const { error } = await toolbox.invoke("Read", { path: "." }, wrong);
    throw new ToolError(error!.code, error!.message);
  },
  "toolSchemas(…, options)": (wrong) => void toolSchemas([], wrong),
};
const WRONG_CALLS: readonly unknown[] = [
  { sginal: new AbortController().signal },
  { Signal: null },
  { signal: "now" },
  { signal: true },
  { onProgress: "print" },
  { format: "OpenAI" },
  { resume: false },
  { undo: "no" },
  { images: "a.png" },
  { timeout: 5 },
  "signal",
  [],
].map((one) => one as never);

const ROWS = [...Deno.readTextFileSync(README).matchAll(/^\| `([^`]+)` +\| (.*?) +\|$/gm)]
  .map(([, place = "", form = ""]) => [place, form.replaceAll("`", "")] as const);

Deno.test("the manual's table has each place where a program's words are taken, and their forms", () => {
  const places = [...Object.keys(MAKERS), ...Object.keys(CALLS), ...Object.keys(PLACES)];
  assertEquals(ROWS.map(([place]) => place), places);
  const forms = Object.fromEntries(Object.entries(ANSWERS).map(([place, { expected }]) => [place, expected]));
  assertEquals(Object.fromEntries(ROWS.filter(([place]) => place in ANSWERS)), forms);
});

Deno.test("what is not understood is refused in each place of the manual's table", async (t) => {
  using ws = workspace({ "a.txt": "a\n" });
  for (const [place, make] of Object.entries(MAKERS)) {
    await t.step(place, async () => {
      assert(WRONG_OPTIONS.length >= 10);
      for (const wrong of WRONG_OPTIONS) {
        const message = await refusalOfMaking(() => make(wrong, ws.path));
        assertStringIncludes(message, Object.keys(wrong)[0]!, JSON.stringify(wrong));
      }
    });
  }
  for (const [place, call] of Object.entries(CALLS)) {
    await t.step(place, async () => {
      for (const wrong of WRONG_CALLS) {
        const message = await refusalOfMaking(() => call(wrong as never, ws.path));
        assertStringIncludes(message, "Cannot use the options of ");
      }
    });
  }
  for (const [place, open] of Object.entries(PLACES)) {
    let at = 0;
    await t.step(place, async () => {
      const form = ROWS.find(([one]) => one === place)![1];
      const odd = ODD.filter((one) => !isFormOf(place, one));
      assert(odd.length >= (place === "here" || place === "session.get" ? 5 : 10), place);
      await using opened = new AsyncDisposableStack();
      const look = open(() => odd[at] as never, { path: ws.path, opened });
      for (at = 0; at < odd.length; at++) {
        const message = await look();
        const expected = place in ANSWERS
          ? `it must give ${form}`
          : place === "here"
          ? "JSON cannot hold"
          : "must return a text";
        assertStringIncludes(message, expected, String(place));
      }
    });
  }
});

/** Some of the odd answers are right somewhere: JSON is what tools may give. */
function isFormOf(place: string, answer: unknown): boolean {
  if (place === "ask" || place === "here.text") return typeof answer === "string";
  if (place !== "here" && place !== "session.get") return false;
  const isClass = answer instanceof Error || answer instanceof Map;
  return !isClass && !Number.isNaN(answer) && typeof answer !== "symbol" && typeof answer !== "function";
}

async function refusalOfMaking(make: () => unknown): Promise<string> {
  const { code, message } = await assertRejects(async () => await make(), ToolError);
  assertEquals(code, "invalid_input", message);
  return message;
}

Deno.test("a refusal names the field, the nearest word, and what another system's word is here", () => {
  const lead = "Cannot use the options of createRunner: ";
  const verdicts = '"allow", "confirm", "deny"';
  const table: readonly (readonly [object, string])[] = [
    [{ polcy: "coder" }, 'unknown field polcy, did you mean "policy"?'],
    [
      { permissions: { "par/echo": "Deny" } },
      `field 'permissions.par/echo' must be one of ${verdicts}, did you mean "deny"?`,
    ],
    [{ policy: { base: "coder", allow_write: false } }, 'unknown field policy.allow_write: write "write"'],
    [
      { policy: { base: "coder", max_memory_kb: 1 } },
      'unknown field policy.max_memory_kb: write "programs.memory_mb"',
    ],
    [{ memory_mb: 64 }, 'unknown field memory_mb: write it in "programs"'],
    [{ deny: { raed: true } }, 'unknown field deny.raed, did you mean "read"?'],
  ];
  for (const [wrong, problem] of table) {
    const refused = () => createRunner({ workspace: "/", ...wrong });
    assertEquals(assertThrows(refused, ToolError).message, lead + problem);
  }
});

Deno.test("a permission of a function that is not there is refused, and a word beside a function's parts", async () => {
  const act = { name: "act", description: "Act.", run: () => 1 };
  const misspelt = () => createRunner({ workspace: "/", here: [act], permissions: { "here/atc": "deny" } });
  const message = 'No function is called "here/atc", did you mean "here/act"?';
  assertEquals(assertThrows(misspelt, ToolError).message, message);
  await using toolbox = new Toolbox({ workspaceRoot: "/", config: false });
  const { run: handler, ...spec } = act;
  const beside = { spec, handler, permission: "deny" } as Parameters<Toolbox["registerTool"]>[0];
  const refused = assertThrows(() => toolbox.registerTool(beside), ToolError);
  assertStringIncludes(refused.message, "unknown field permission");
});

Deno.test("options are copied when they are checked, and count wherever a class has them", async () => {
  using ws = workspace();
  const permissions: Record<string, "allow" | "deny"> = { "here/act": "deny" };
  class Options {
    get permissions() {
      return permissions;
    }
  }
  const here = [{ name: "act", description: "Act.", run: () => 1 }];
  const given = Object.assign(new Options(), {
    workspace: ws.path,
    sandbox: "off" as const,
    config: false as const,
    here,
  });
  await using runner = createRunner(given as RunnerOptions);
  permissions["here/act"] = "allow";
  assertEquals((await runner.call("here/act", {})).error?.code, "denied_by_policy");
  class Policy {
    base = "coder";
    get wirte() {
      return false;
    }
    get write() {
      return "no";
    }
  }
  const wrong = assertThrows(
    () => createRunner({ workspace: ws.path, policy: new Policy() as never }),
    ToolError,
  );
  assertStringIncludes(wrong.message, "field 'policy.write' must be of type boolean");
});
