import * as z from "zod";

import type { Target } from "../../schemas/access.ts";
import type { BrowserAction, BrowserAnswer } from "../../schemas/browser/browser.ts";
import type { ToolContext } from "../../schemas/context.ts";
import { ToolError } from "../../schemas/error.ts";
import { defineTool } from "../../schemas/tool.ts";
import { readContent } from "../engine/web/content/read_content.ts";
import { SEARCH_KEYS, SEARCH_SETTINGS, searchTargets } from "../engine/web/search/search_web.ts";
import { type BrowserInput, browserInput, need, readAction } from "./shared/browser/browser_actions.ts";
import { fromBase64, inDocumentWords, showPage, takesFile } from "./shared/browser/browser_page.ts";
import { keepDownload, readUploads } from "./shared/browser/browser_files.ts";
import { SEARCH_ORDER, searchInOrder } from "./shared/search_results.ts";

/** Most characters of an extracted page. */
const CONTENT_CHARS = 20_000;

const output = z.object({
  output: z.string(),
  url: z.string(),
  title: z.string(),
  tabs: z.array(z.object({ id: z.int(), url: z.string(), title: z.string(), current: z.boolean() })),
  happened: z.array(z.string()),
  state: z.string(),
});

type Output = z.output<typeof output>;

export default defineTool({
  name: "browser_use",
  description:
    "Use a web browser that stays open between calls: navigation, clicks, typing, scrolling, tabs, extraction. Each result " +
    "shows the page: its texts, and what can be used as [number]<tag attributes> text, with the same numbers in the " +
    "picture. Give a number as index. An element keeps its number for as long as it is on the page; numbers are never used " +
    "again. After small changes only these are shown; 'wait' with 0 seconds shows the whole page.\n" +
    "* go_to_url, open_tab: url; go_back, refresh, close_tab: nothing more; switch_tab: tab_id\n" +
    "* click_element: index; input_text: index and text, which replaces what is there, or names files for a field of files\n" +
    "* get_dropdown_options: index; select_dropdown_option: index and text\n" +
    "* scroll_down, scroll_up: scroll_amount; scroll_to_text: text; send_keys: keys\n" +
    "* web_search: query, and the first result is opened; extract_content: goal; wait: seconds",
  input: browserInput,
  output,
  needs: { read: "if-granted", write: "if-granted", net: "granted", run: "granted" },
  readOnly: false,
  parallel: false,
  outside: true,
  leavesFiles: true,
  asksModel: true,
  settings: SEARCH_SETTINGS,
  secrets: SEARCH_KEYS,
  examples: [
    { line: "action=go_to_url url=https://example.com --session ID", meaning: "Open a page in the browser" },
  ],
  limits: { timeoutMs: 120_000, concurrency: 1 },
  targets: (input, told) => targetsOf(input, told),
  async run(input, context): Promise<Output> {
    const { said, answer, after } = await act(input, context);
    const { page, happened } = answer;
    const kept: string[] = [];
    for (const file of answer.files ?? []) {
      kept.push(` - Downloaded file to ${await keepDownload(file, context)}`);
    }
    const state = await showPage(answer, context, { after });
    const { url, title, tabs } = page;
    const notes = page.isPdf ? ["The page is a PDF document: extract_content reads its text"] : [];
    return {
      ...{ output: [said, ...kept].join(""), url, title, tabs: [...tabs] },
      happened: [...happened, ...notes],
      state,
    };
  },
  summary: ({ output }) => output.split("\n", 1)[0]!,
  text: ({ output, happened, state }) => [output, ...happened, "", state].join("\n"),
  errorText: ({ message }) => `Error: ${message}`,
});

function targetsOf(
  { action, url, query }: BrowserInput,
  told: Parameters<typeof searchTargets>[1],
): Target[] {
  if (action === "web_search" && query) return searchTargets({ engines: SEARCH_ORDER }, told);
  const opens = action === "go_to_url" || action === "open_tab";
  return opens && url && /^https?:\/\//i.test(url.trim()) ? [{ kind: "net", value: url.trim() }] : [];
}

interface Acted {
  said: string;
  answer: BrowserAnswer;
  /** What the browser did at last. */
  after: BrowserAction["do"];
}

async function act(input: BrowserInput, context: ToolContext): Promise<Acted> {
  if (input.action === "web_search") {
    return await search(need(input.query, "Query is", input.action), context);
  }
  if (input.action === "extract_content") {
    return await extract(need(input.goal, "Goal is", input.action), context);
  }
  const { action, said } = readAction(input);
  try {
    const answer = await context.browser.act(action, { picture: true });
    return { said: said(answer), answer, after: action.do };
  } catch (error) {
    if (takesFile(error) && action.do === "type") return await upload(action, context);
    throw inDocumentWords(input, error);
  }
}

/** A text for a field that takes files names them. */
async function upload(
  { element, text }: { element: number; text: string },
  context: ToolContext,
): Promise<Acted> {
  const files = await readUploads(text, context);
  const answer = await context.browser.act({ do: "give", element, files }, { picture: true });
  return { said: `Input '${text}' into element at index ${element}`, answer, after: "give" };
}

/** Searches, and opens the first result. */
async function search(query: string, context: ToolContext): Promise<Acted> {
  const { hits } = await searchInOrder({ text: query, count: 5, language: "en", country: "us" }, context);
  const [first] = hits;
  if (first === undefined) throw new ToolError("not_found", `Nothing was found for ${JSON.stringify(query)}`);
  const answer = await context.browser.act({ do: "open", url: first.url }, { picture: true });
  const lines = hits.map(({ title, url, snippet }, at) =>
    `${at + 1}. ${title}\n   URL: ${url}\n   ${snippet}`
  );
  return {
    said: [`Search results for '${query}':`, ...lines, `Navigated to ${first.url}`].join("\n"),
    answer,
    after: "open",
  };
}

/** What of the page's text the goal asks for, as the model of the run answers; without one, all of the text. */
async function extract(goal: string, context: ToolContext): Promise<Acted> {
  const answer = await context.browser.act({ do: "html" });
  const { url } = answer.page;
  const { document: { type, base64 } = { type: "text/html; charset=utf-8", base64: null } } = answer;
  const bytes = base64 === null ? new TextEncoder().encode(answer.html ?? "") : fromBase64(base64);
  const content = { bytes, contentType: type, url };
  const { text, totalChars, notes } = await readContent(
    content,
    { want: "page", maxChars: CONTENT_CHARS },
    context,
  );
  for (const note of notes) context.warn(note);
  if (text.trim() === "") return { said: "No content was extracted from the page.", answer, after: "html" };
  const cut = totalChars > text.length
    ? { note: `the first ${text.length} of ${totalChars} characters` }
    : {};
  const found = await context.askModel({ task: taskOf(goal), text });
  const extracted = { text: found ?? text, metadata: { source: url, goal, ...cut } };
  return { said: `Extracted from page:\n${JSON.stringify(extracted)}\n`, answer, after: "html" };
}

function taskOf(goal: string): string {
  return "The text is the content of a web page. Return the parts of it that this goal asks for, complete and in its own " +
    `words, as plain text or Markdown. Say so if the page does not have them.\nThe goal: ${goal}`;
}
