import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";

import { THINKING_KINDS } from "../../../../schemas/step/thinking.ts";
import { agentClasses, agents } from "../../../../tools/agents/mod.ts";
import { loaders } from "../../../../tools/mod.ts";
import adaptPlan from "../../../../tools/sgr/adapt_plan_tool.ts";
import answer from "../../../../tools/sgr/answer_tool.ts";
import clarification from "../../../../tools/sgr/clarification_tool.ts";
import createReport from "../../../../tools/sgr/create_report_tool.ts";
import extract from "../../../../tools/sgr/extract_page_content_tool.ts";
import finalAnswer from "../../../../tools/sgr/final_answer_tool.ts";
import generatePlan from "../../../../tools/sgr/generate_plan_tool.ts";
import reasoning from "../../../../tools/sgr/reasoning_tool.ts";
import runCommand from "../../../../tools/sgr/run_command_tool.ts";
import webSearch from "../../../../tools/sgr/web_search_tool.ts";
import { type RunOptions, workspace } from "../../../support/run_tool.ts";
import { fakeWeb } from "../../../support/web/fake_web.ts";
import { keptPlan } from "../../../support/web/kept_plan.ts";

Deno.test("answer_tool gives what the person is told", async () => {
  using ws = workspace();
  const said = { reasoning: "a first result", intermediate_result: "Three makers so far." };
  assertEquals((await ws.run(answer, said)).text, "Three makers so far.");
});

Deno.test("clarification_tool gives the questions, a line each", async () => {
  using ws = workspace();
  const { text, result } = await ws.run(clarification, {
    reasoning: "two firms",
    unclear_terms: ["Acme"],
    assumptions: ["the maker", "the shop"],
    questions: ["Which Acme?", "Since when?"],
  });
  assertEquals([text, result], ["Which Acme?\nSince when?", "Which Acme?\nSince when?"]);
});

Deno.test("final_answer_tool gives its fields back as JSON and says how it ends a run", async () => {
  using ws = workspace();
  const said = { reasoning: "checked", completed_steps: ["read"], answer: "In 1904.", status: "failed" };
  const { result, text } = await ws.run(finalAnswer, said);
  assertEquals([result, JSON.parse(text)], [said, said]);
  assertEquals(finalAnswer.endsRun, { status: "status", failed: "failed", answer: "answer" });
});

const PLAN = {
  research_goal: "compare kettles",
  planned_steps: ["find makers", "read tests", "compare"],
  search_strategies: ["by maker", "by test"],
};

Deno.test("generate_plan_tool gives the plan without its reasoning, and the session keeps it", async () => {
  using ws = workspace();
  const { result, text } = await ws.run(generatePlan, { reasoning: "because", ...PLAN });
  assertEquals([result, JSON.parse(text)], [PLAN, PLAN]);
  assertEquals(await keptPlan(ws), {
    title: "compare kettles",
    steps: PLAN.planned_steps.map((text) => ({ text, status: "not_started", notes: "" })),
  });
});

Deno.test("adapt_plan_tool keeps the steps that are done, and how far the others are", async () => {
  using ws = workspace();
  const change = {
    original_goal: "compare kettles",
    new_goal: "compare their data",
    plan_changes: ["no tests"],
    next_steps: ["read data", "compare"],
  };
  // Without a plan before it, it makes one.
  const { result, text } = await ws.run(adaptPlan, { reasoning: "none found", ...change });
  assertEquals([result, JSON.parse(text)], [change, change]);
  assertEquals((await keptPlan(ws)).steps.map(({ text }) => text), ["read data", "compare"]);

  await ws.run(generatePlan, { reasoning: "", ...PLAN });
  await keptPlan(ws, (steps) => {
    steps[0]!.status = "completed";
    steps[2]!.status = "in_progress";
  });
  await ws.run(adaptPlan, { reasoning: "none found", ...change });
  const plan = await keptPlan(ws);
  assertEquals(plan.title, "compare their data");
  assertEquals(plan.steps.map(({ text, status }) => [text, status]), [
    ["find makers", "completed"],
    ["read data", "not_started"],
    ["compare", "in_progress"],
  ]);
  await ws.run(generatePlan, { reasoning: "", ...PLAN });
  assertEquals((await keptPlan(ws)).steps.map(({ status }) => status), Array(3).fill("not_started"));
});

Deno.test("reasoning_tool gives its fields back as JSON, in the order of its document", async () => {
  using ws = workspace();
  const said = {
    task_completed: false,
    reasoning_steps: ["look", "search"],
    current_situation: "nothing is known",
    plan_status: "no plan",
    remaining_steps: [],
  };
  const { result, text } = await ws.run(reasoning, said);
  assertEquals(result, { ...said, enough_data: false });
  assertEquals(Object.keys(JSON.parse(text)), [
    "reasoning_steps",
    "current_situation",
    "plan_status",
    "enough_data",
    "remaining_steps",
    "task_completed",
  ]);
  assertEquals(text.split("\n")[1], '  "reasoning_steps": [');
});

const call = (command: string) => ({ reasoning: "to see", command });
const SECTION = "SGR__TOOLS__RUN_COMMAND_TOOL__";

Deno.test("run_command_tool words a result as its document does, without empty parts", async () => {
  await using ws = workspace({ "a.txt": "text" });
  const { text, result } = await ws.run(runCommand, call("cat a.txt | tr a-z A-Z; echo no >&2; exit 3"));
  assertEquals(result, { stdout: "TEXT", stderr: "no", return_code: 3 });
  assertEquals(text, "stdout:\nTEXT\n\nstderr:\nno\n\nreturn_code: 3");
  assertEquals((await ws.run(runCommand, call("true"))).text, "return_code: 0");
  for (const command of ["", " \n", "a\0b"]) {
    const { error } = await ws.run(runCommand, call(command));
    assertEquals(error?.code, "invalid_input", JSON.stringify(command));
  }
});

Deno.test("run_command_tool ends a command whose time is up, and shows what it said", async () => {
  await using ws = workspace();
  const settings = { [`${SECTION}TIMEOUT_SECONDS`]: "1" };
  const { error, text } = await ws.run(runCommand, call("echo begun; exec sleep 60"), { settings });
  assertEquals(error?.code, "timeout");
  assertStringIncludes(text, "Error: Command timed out after 1 s");
  assertStringIncludes(text, "stdout:\nbegun");
});

Deno.test("run_command_tool starts in the folder of its settings", async () => {
  await using ws = workspace({ "sub/a.txt": "" });
  const at = (folder: string) => ({ settings: { [`${SECTION}WORKSPACE_PATH`]: folder } });
  assertEquals((await ws.run(runCommand, call("ls"), at("sub"))).result.stdout, "a.txt");
  assertEquals((await ws.run(runCommand, call("ls"), at("/etc"))).error?.code, "permission_denied");
  assertEquals((await ws.run(runCommand, call("ls"), at("none"))).error?.code, "configuration");
});

Deno.test("run_command_tool says that the mode unsafe opens nothing, and knows no other", async () => {
  await using ws = workspace();
  const mode = (value: string) => ({ settings: { [`${SECTION}MODE`]: value } });
  const { warnings } = await ws.run(runCommand, call("true"), mode("unsafe"));
  assertStringIncludes(warnings.join(), "MODE=unsafe opens nothing");
  assertEquals((await ws.run(runCommand, call("true"), mode("none"))).error?.code, "configuration");
});

const lists = (include: string, exclude = ""): RunOptions => ({
  settings: { [`${SECTION}INCLUDE_PATHS`]: include, [`${SECTION}EXCLUDE_PATHS`]: exclude },
});

Deno.test("run_command_tool starts only programs that are included, found in the included folders", async () => {
  await using ws = workspace({ "a b.txt": "text", "bin/ls": "#!/bin/sh\necho mine\n" });
  Deno.chmodSync(ws.at("bin/ls"), 0o755);
  const run = async (command: string, options: RunOptions) => {
    const { error, result } = await ws.run(runCommand, call(command), options);
    return error?.code ?? result.stdout;
  };
  assertEquals(await run("cat 'a b'.txt", lists('["/none","/usr/bin/"]')), "text");
  assertEquals(await run('cat "a b.txt"', lists("/usr/bin/cat")), "text");
  assertEquals(await run("/usr/bin/cat 'a b.txt'", lists("/usr/bin", "cat")), "text");
  for (const command of ["ls", "/bin/../usr/bin/ls", "bin/ls", "./bin/ls", "cat/../ls", "PATH=bin cat x"]) {
    const said = await run(command, lists("/usr/bin/cat"));
    assert(["permission_denied", "invalid_input"].includes(said), `${command}: ${said}`);
  }
  assertEquals(await run("/usr/binx/cat x", lists("/usr/bin")), "permission_denied");
});

Deno.test("run_command_tool leaves a shell nothing to do where programs are listed", async () => {
  await using ws = workspace({ "a.txt": "text" });
  const tricks = [
    "cat a.txt; id",
    "cat a.txt && id",
    "cat a.txt | id",
    "cat a.txt & id",
    "cat $(id)",
    "cat `id`",
    'cat "$(id)"',
    'cat "`id`"',
    "cat a.txt\nid",
    "cat <(id)",
    "cat > b.txt",
    "cat $HOME",
    "cat ~/x",
    "cat *",
    "cat {a,b}.txt",
    "cat a.txt # x",
    "c\\at a.txt",
    "cat 'a.txt",
    "(id)",
    "!id",
    "X=1 cat a.txt",
  ];
  for (const command of tricks) {
    const { error } = await ws.run(runCommand, call(command), lists("/usr/bin/cat"));
    assertEquals(error?.code, "invalid_input", command);
  }
  for (const command of ["curl x", "/usr/bin/curl x", "'curl' x", "cu'r'l x", "/opt/curl x"]) {
    const { error } = await ws.run(runCommand, call(command), lists("", "curl"));
    assertEquals(error?.code, "permission_denied", command);
  }
  assertEquals((await ws.run(runCommand, call("cat a.txt"), lists("", "curl"))).result.stdout, "text");
});

const said = {
  reasoning: "all is found",
  title: "Tea kettles",
  user_request_language_reference: "Compare tea kettles",
  content: "Made of copper [1].",
  confidence: "medium",
};

const PAGES = ["https://a.example/x", "https://b.example/y", "https://c.example/z"];

/** A search that finds three pages, and pages that can be read. */
const web = fakeWeb(({ body }, { pathname }) => {
  if (pathname === "/search") {
    const results = PAGES.map((url, at) => ({ title: `Page\n## ${at + 1}`, url, content: "c" }));
    return { body: { results } };
  }
  const { urls } = JSON.parse(String(body)) as { urls: string[] };
  return { body: { results: urls.map((url) => ({ url, raw_content: "all of it" })), failed_results: [] } };
});
const online = { web, keys: ["TAVILY_API_KEY"] };

Deno.test("create_report_tool writes the documented file, with the sources that are cited alone", async () => {
  using ws = workspace();
  await ws.run(webSearch, { reasoning: "", query: "q" }, online);
  await ws.run(extract, { reasoning: "", urls: [PAGES[2]] }, online);
  const content = "First: copper [3]. Then steel [1].\n\nIt weighs 2 kg [7].\n\nIt holds 3 litres.";
  const { result, text, warnings } = await ws.run(createReport, { ...said, content });
  const { filepath, timestamp, ...rest } = result;
  const facts = { title: "Tea kettles", confidence: "medium", sources_count: 2, word_count: 15 };
  assertEquals(rest, { ...facts, content });
  assertEquals(JSON.parse(text), result);
  assertMatch(timestamp, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/);
  const name = `${timestamp.replace(/[-:]/g, "").replace("T", "_")}_Tea kettles.md`;
  assertEquals(filepath, ws.at(`reports/${name}`));
  const created = timestamp.replace("T", " ");
  const head = `# Tea kettles\n\n*Created: ${created}*\n\n*Confidence: medium*\n\n${content}\n\n---\n\n`;
  const sources = `## Sources\n\n[1] Page ## 1 - ${PAGES[0]}  \n[3] Page ## 3 - ${PAGES[2]}\n`;
  assertEquals(ws.read(`reports/${name}`), head + sources);
  assertEquals(warnings, [
    "The report cites [7], and there is no such source: cite the numbers that searches gave",
    "The report cites [1] without that the page was opened: only its snippet was seen",
    'A paragraph states figures and cites no source: "It holds 3 litres."',
  ]);
});

Deno.test("create_report_tool writes no list of sources where none is cited, and into the folder of the settings", async () => {
  using ws = workspace();
  const settings = { SGR__EXECUTION__REPORTS_DIR: "out/all" };
  const { result, warnings } = await ws.run(createReport, { ...said, content: "Nothing." }, { settings });
  assertEquals([result.sources_count, warnings], [0, []]);
  assert(result.filepath.startsWith(ws.at("out/all/")), result.filepath);
  assert(Deno.readTextFileSync(result.filepath).endsWith("*Confidence: medium*\n\nNothing.\n\n"));
  const again = await ws.run(createReport, { ...said, content: "Another." }, { settings });
  assertEquals([...Deno.readDirSync(ws.at("out/all"))].length, 2);
  assert(again.result.filepath !== result.filepath);
});

Deno.test("create_report_tool leaves the report with the session where its folder may not be written", async () => {
  using ws = workspace();
  for (const title of ["Kettles", "Чайники 茶壺"]) {
    const input = { ...said, title, content: "Yes." };
    const { result, warnings } = await ws.run(createReport, input, { write: [] });
    assert(result.filepath.startsWith(ws.at(".artifacts/")), result.filepath);
    assertEquals(warnings, ['"reports" may not be written, so the report is among the files of the session']);
    assert(Deno.readTextFileSync(result.filepath).startsWith(`# ${title}\n`));
  }
  assertEquals([...Deno.readDirSync(ws.path)].map(({ name }) => name), [".artifacts"]);
});

/** Titles that try to leave the folder, or to look like something else. */
const TITLES: Readonly<Record<string, string>> = {
  "../../../etc/passwd": "etcpasswd",
  "/etc/cron.d/x": "etccrondx",
  "..": "",
  "a\0b": "ab",
  "a\nb\r\tc": "abc",
  "\u202egpj.exe": "gpjexe",
  "C:\\Windows\\a": "CWindowsa",
  "~/.ssh/id": "sshid",
  "-rf *": "-rf",
  "%2e%2e%2f": "2e2e2f",
  ["x".repeat(300)]: "x".repeat(50),
  ["😀".repeat(300)]: "",
  ["茶".repeat(300)]: "茶".repeat(50),
};

Deno.test("create_report_tool stays in its folder whatever the title is", async () => {
  using ws = workspace();
  for (const [title, name] of Object.entries(TITLES)) {
    const { result } = await ws.run(createReport, { ...said, title, content: "Yes." });
    const [, folder, file] = /^(.*)\/\d{8}_\d{6}_([^/]*)\.md$/.exec(result.filepath) ?? [];
    assertEquals([folder, file], [ws.at("reports"), name], JSON.stringify(title));
    const [head = ""] = Deno.readTextFileSync(result.filepath).split("\n\n");
    assert(!/[\0\r\n\t\u202e]/.test(head), JSON.stringify(head));
    Deno.removeSync(result.filepath);
  }
  assertEquals([...Deno.readDirSync(ws.path)].map(({ name }) => name), ["reports"]);
});

Deno.test("create_report_tool follows no link out of the workspace", async () => {
  using ws = workspace();
  using other = workspace();
  Deno.symlinkSync(other.path, ws.at("reports"));
  const { result, warnings } = await ws.run(createReport, { ...said, content: "Yes." });
  assert(result.filepath.startsWith(ws.at(".artifacts/")), result.filepath);
  assertEquals([[...Deno.readDirSync(other.path)], warnings.length], [[], 1]);
});

Deno.test("create_report_tool leaves one file of a report that it is given again, and never touches a changed one", async () => {
  using ws = workspace();
  const give = async (more: object = {}) => {
    const { result, warnings } = await ws.run(createReport, { ...said, content: "Yes.", ...more });
    assertEquals(warnings, []);
    return result;
  };
  const first = await give();
  const text = Deno.readTextFileSync(first.filepath);
  assertEquals(await give({ reasoning: "once more" }), first);
  Deno.removeSync(first.filepath);
  assertEquals(await give(), first);
  assertEquals(Deno.readTextFileSync(first.filepath), text);
  Deno.writeTextFileSync(first.filepath, `${text}A person wrote this.\n`);
  const second = await give();
  assertEquals(second.filepath, first.filepath.replace(/\.md$/, " 2.md"));
  assertEquals(await give(), second);
  const other = await give({ confidence: "low" });
  assertEquals(reportsIn(ws.at("reports")).length, 3);
  assert(other.filepath !== second.filepath);
});

Deno.test("create_report_tool leaves the report with the session where its folder is a file, and once", async () => {
  using ws = workspace({ reports: "a file" });
  const paths = new Set<string>();
  for (let turn = 0; turn < 2; turn++) {
    const { result, warnings } = await ws.run(createReport, { ...said, content: "Yes." });
    assertEquals(warnings.length, 1);
    assert(warnings[0]!.endsWith("so the report is among the files of the session"), warnings[0]);
    paths.add(result.filepath);
  }
  const [path = "", ...others] = paths;
  assertEquals([path.startsWith(ws.at(".artifacts/")), others], [true, []]);
  assertEquals(ws.read("reports"), "a file");
});

function reportsIn(folder: string): string[] {
  return [...Deno.readDirSync(folder)].map(({ name }) => name).sort();
}

Deno.test("agents and classes name tools that exist, each once", () => {
  const lists = [...Object.values(agents), ...Object.values(agentClasses)].map(({ tools = [] }) => tools);
  assertEquals(lists.flat().filter((name) => !Object.hasOwn(loaders, name)), []);
  for (const list of lists) assertEquals(new Set(list).size, list.length);
  const kinds = [...Object.values(agents), ...Object.values(agentClasses)].map(({ kind = "tools" }) => kind);
  assert(kinds.every((kind) => Object.hasOwn(THINKING_KINDS, kind)));
});

Deno.test("the agents that are promised are there, and the usual one says nothing but what a run does anyway", () => {
  assertEquals(Object.keys(agents), [
    "default",
    "research",
    "manus",
    "swe",
    "data_analysis",
    "browser",
    "dialog",
  ]);
  const { description: _, ...usual } = agents.default!;
  assertEquals(usual, { kind: "tools" });
});
