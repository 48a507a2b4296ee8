import { assert } from "@std/assert";

import { parseArgv } from "../../../runtime/cli/args/parse_argv.ts";
import type { Browser } from "../../../schemas/browser/browser.ts";
import type { Desktop } from "../../../schemas/desktop/desktop.ts";
import type { Manifest } from "../../../schemas/manifest.ts";
import { commandExamples } from "../../../tools/examples.ts";
import manifest from "../../../tools/manifest.json" with { type: "json" };
import { loaders } from "../../../tools/mod.ts";
import { boxWorks } from "../../support/box.ts";
import { docx, paragraph } from "../../support/documents/office_files.ts";
import { argumentsOf, shellWords } from "../../support/tool_examples.ts";
import { fixture } from "../../support/documents/picture.ts";
import { workspace } from "../../support/run_tool.ts";
import { fakeWeb } from "../../support/web/fake_web.ts";

const { tools } = manifest as Manifest;

/** The workspace that the examples speak of. */
function scene() {
  return workspace({
    "README.md": "# Shop\n\nTODO: tell more\n",
    "notes.md": "buy tea\n",
    "src/cart.ts": 'import { price } from "./price.ts";\n// TODO: round\nexport const total = price;\n',
    "manual.pdf": Deno.readFileSync(new URL("../../../scripts/demo/manual.pdf", import.meta.url)),
    "logo.png": fixture("quad.jpg"),
    "sales.csv": "month,sales\n2024-01,10\n2024-02,20\n",
    "charts.json": '[{"csvFilePath":"sales.csv","chartTitle":"Sales"}]',
    // In the private sandbox.
    ".apart/logo.png": fixture("quad.jpg"),
    "report.docx": docx(paragraph("Sales went up.")),
  });
}

/** The pages that the examples speak of, and the services that find them. */
const web = fakeWeb(({ url }) => {
  const found = { title: "Shop", link: "https://example.com", url: "https://example.com" };
  if (url.includes("serper")) return { body: { organic: [found] } };
  if (url.includes("tavily")) return { body: { results: [{ ...found, raw_content: "Tea and milk." }] } };
  if (url.includes("baidu")) return { body: { feed: { entry: [found] } } };
  if (url.includes("duckduckgo")) {
    return { body: '<a class="result-link" href="https://example.com">Shop</a>' };
  }
  return { body: "<title>Shop</title><p>Tea and milk.</p>" };
});
/** A page, whatever is asked: browsers have tests of their own. */
const browser: Browser = { act: () => Promise.resolve({ page: PAGE, happened: [] }) };
/** A screen, whatever is asked: desktops have tests of their own. */
const desktop: Desktop = {
  act: () =>
    Promise.resolve({
      screen: null,
      before: { x: 0, y: 0 },
      pointer: { x: 0, y: 0 },
      picture: SCREEN,
      happened: [],
    }),
};
const SCREEN = {
  base64: btoa(String.fromCharCode(...fixture("quad.jpg"))),
  mimeType: "image/jpeg",
  width: 64,
  height: 32,
};
const PAGE = {
  ...{ url: "https://example.com/", title: "Shop", tabs: [], lines: [{ text: "Tea and milk." }], more: 0 },
  scroll: { above: 0, below: 0, height: 600 },
};
const keys = ["SERPER_KEY", "TAVILY_API_KEY"];

Deno.test("every example of a tool runs as it stands in the workspace that it speaks of", async () => {
  for (const tool of tools) {
    await using ws = scene();
    const { default: definition } = await loaders[tool.full_name as keyof typeof loaders]();
    const lines = tool.examples.map(({ line }) => line);
    for (const words of await shellWords(lines, ws.path)) {
      const input = argumentsOf(tool, words);
      if (input.session_id === "ID") input.session_id = await startTerminal(ws);
      const { ok, text, error } = await ws.run(definition, input, {
        answer: () => "main",
        web,
        browser,
        desktop,
        keys,
      });
      const hasNoBox = !boxWorks && error?.details?.reason === "no sandbox";
      assert(ok || hasNoBox, `${tool.full_name} ${words.join(" ")}: ${text}`);
    }
  }
});

async function startTerminal(ws: ReturnType<typeof scene>): Promise<string> {
  const started = tools.find(({ name }) => name === "TerminalStart")!.full_name as keyof typeof loaders;
  const { result } = await ws.run((await loaders[started]()).default, {});
  return result.session_id;
}

Deno.test("the examples of commands name tools that there are", async () => {
  const names = new Set(tools.flatMap((tool) => [tool.name, tool.full_name]));
  const sets = new Set(tools.map(({ toolset }) => toolset));
  for (const [command, examples] of Object.entries(commandExamples)) {
    for (const { line } of examples) {
      const [words] = await shellWords([line.split(" <<< ")[0]!], "/");
      const { positionals: [first = ""] } = parseArgv(words!);
      assert(command === "batch" || names.has(first) || sets.has(first), line);
    }
  }
});
