import { assert, assertEquals, assertMatch } from "@std/assert";

import createReport from "../../../../tools/sgr/create_report_tool.ts";
import extract from "../../../../tools/sgr/extract_page_content_tool.ts";
import webSearch from "../../../../tools/sgr/web_search_tool.ts";
import { workspace } from "../../../support/run_tool.ts";
import { fakeWeb } from "../../../support/web/fake_web.ts";

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
    return {
      body: { results: PAGES.map((url, at) => ({ title: `Page\n## ${at + 1}`, url, content: "c" })) },
    };
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
  assertEquals(rest, {
    title: "Tea kettles",
    content,
    confidence: "medium",
    sources_count: 2,
    word_count: 15,
  });
  assertEquals(JSON.parse(text), result);
  assertMatch(timestamp, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/);
  const name = `${timestamp.replace(/[-:]/g, "").replace("T", "_")}_Tea kettles.md`;
  assertEquals(filepath, ws.at(`reports/${name}`));
  assertEquals(
    ws.read(`reports/${name}`),
    `# Tea kettles\n\n*Created: ${
      timestamp.replace("T", " ")
    }*\n\n*Confidence: medium*\n\n${content}\n\n---\n\n` +
      `## Sources\n\n[1] Page ## 1 - ${PAGES[0]}  \n[3] Page ## 3 - ${PAGES[2]}\n`,
  );
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
    const { result, warnings } = await ws.run(createReport, { ...said, title, content: "Yes." }, {
      write: [],
    });
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
