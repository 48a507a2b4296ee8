import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";

import { offerEnvFile } from "../../../../runtime/cli/coming/offer_env_file.ts";
import { warnAboutForeign, withEnvFile } from "../../../../runtime/cli/coming/env_file.ts";
import type { Io } from "../../../../runtime/cli/io/io.ts";
import { ToolError } from "../../../../schemas/error.ts";
import { workspace } from "../../../support/run_tool.ts";

/** The user's side of a command in a folder, as far as files of variables need it. */
function ioIn(cwd: string, own: Record<string, string>) {
  const told: string[] = [];
  const stderr = (bytes: Uint8Array) => Promise.resolve(void told.push(new TextDecoder().decode(bytes)));
  const io = { env: (name: string) => own[name], variables: () => ({ ...own }), cwd: () => cwd, stderr };
  return { io: io as unknown as Io, told };
}

const HARNESS = `# keys
export API_BASE="https://a.example/v1"
API_KEY='k-1'
MODEL_NAME=m # the model
MAX_ROUNDS=5
SERPER_KEY=
HOME=/elsewhere
https_proxy=http://p
`;

Deno.test("withEnvFile() adds what is not set, and tells what it does not take", async () => {
  using ws = workspace({ ".env": HARNESS });
  const { io, told } = ioIn(ws.path, { HOME: "/home/you", MODEL_NAME: "own" });
  const more = await withEnvFile(".env", io);
  const names = ["API_BASE", "API_KEY", "MODEL_NAME", "MAX_ROUNDS", "SERPER_KEY", "HOME", "https_proxy"];
  const values = ["https://a.example/v1", "k-1", "own", undefined, undefined, "/home/you", undefined];
  assertEquals(names.map((name) => more.env(name)), values);
  assertEquals(names.map((name) => more.variables()[name]), values);
  assertEquals(told, [
    'warning: --env-file ".env": MAX_ROUNDS is not read: what ResearchHarness calls so is --max-rounds N here; see: ' +
    "bulkhead help harness\n",
    'warning: --env-file ".env": HOME is not taken: set it in the environment\n',
    'warning: --env-file ".env": https_proxy is not taken: set it in the environment\n',
  ]);
});

Deno.test("warnAboutForeign() names what ResearchHarness reads and this program does not", async () => {
  const lead = "warning: of ResearchHarness' variables in the environment, these are not read: ";
  const rows: [Record<string, string>, string[]][] = [
    [{ MAX_ROUNDS: "5", WORKSPACE_ROOT: "/x" }, [
      "WORKSPACE_ROOT (here --workspace DIR)",
      "MAX_ROUNDS (here --max-rounds N)",
    ]],
    [{ MODEL_NAME: "m", MAX_ROUNDS: "" }, []],
    [{ WORKSPACE_ROOT: "/x", TEMPERATURE: "1" }, []],
  ];
  for (const [own, unread] of rows) {
    const { io, told } = ioIn("/", own);
    await warnAboutForeign(io);
    const line = `${lead}${unread.join(", ")}; see: bulkhead help harness\n`;
    assertEquals(told, unread.length === 0 ? [] : [line]);
  }
});

Deno.test("withEnvFile() reads lines as shells and other readers of such files do", async () => {
  const lines = [
    "A=1",
    'B="x # y" # c',
    "C= a b  # c",
    "D='q\\n$'",
    "E=",
    'F="a\\nb\\"c"',
    "  export G=a#b",
    "",
    "#H=1",
    "I=\r",
  ];
  using ws = workspace({ ".env": lines.join("\n") });
  const { variables } = await withEnvFile(".env", ioIn(ws.path, {}).io);
  assertEquals(variables(), { A: "1", B: "x # y", C: "a b", D: "q\\n$", F: 'a\nb"c', G: "a#b" });
});

/** A file, the user's own variables, and what the refusal says; `""` if there is none. */
const REFUSED: readonly (readonly [file: string, own: Record<string, string>, part: string])[] = [
  ["A=1\nno variable\n", {}, "line 2 is not NAME=VALUE"],
  ['A="open\n', {}, "line 1 is not NAME=VALUE"],
  ["A='x' y\n", {}, "line 1 is not NAME=VALUE"],
  [
    "OPENAI_BASE_URL=http://evil\nOPENAI_API_KEY=x\n",
    { OPENAI_API_KEY: "own" },
    "OPENAI_API_KEY of your environment",
  ],
  ["API_BASE=http://evil\n", { API_KEY: "own" }, "API_KEY of your environment"],
  ["JINA_READER_BASE_URL=http://evil\n", { JINA_KEY: "own" }, "JINA_KEY of your environment"],
  ["TAVILY_BASE_URL=http://proxy\n", { JINA_KEY: "own", OPENAI_API_KEY: "own" }, ""],
  ["OPENAI_BASE_URL=http://evil\n", { OPENAI_API_KEY: "own", OPENAI_BASE_URL: "http://own" }, ""],
];

Deno.test("withEnvFile() sends no key of the environment to an address of the file", async () => {
  for (const [file, own, part] of REFUSED) {
    using ws = workspace({ "vars": file });
    const read = () => withEnvFile("vars", ioIn(ws.path, own).io);
    if (part === "") await read();
    else assertStringIncludes((await assertRejects(read, ToolError)).message, part);
  }
  using ws = workspace();
  const gone = await assertRejects(() => withEnvFile("gone", ioIn(ws.path, {}).io), ToolError);
  assertStringIncludes(gone.message, "no such file");
});

Deno.test("offerEnvFile() names the file to whoever has no model, and to nobody else", () => {
  const lack = new ToolError("configuration", "No model is named", { details: { found: [] } });
  for (
    const [files, error, isOffered] of [
      [{ ".env": "A=1" }, lack, true],
      [{}, lack, false],
      [{ ".env": "A=1" }, new ToolError("configuration", "Something else"), false],
    ] as const
  ) {
    using ws = workspace(files);
    const { message } = offerEnvFile(error, ioIn(ws.path, {}).io);
    assertEquals(message.endsWith("--env-file .env reads it"), isOffered);
  }
});
