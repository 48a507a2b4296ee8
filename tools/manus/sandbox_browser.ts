import * as z from "zod";

import type { BrowserAnswer } from "../../schemas/browser/browser.ts";
import type { ToolContext } from "../../schemas/context.ts";
import { APART_FOLDER } from "../../schemas/program.ts";
import { defineTool } from "../../schemas/tool.ts";
import type { Asked } from "./shared/browser/browser_actions.ts";
import { inDocumentWords, showPage, takesFile } from "./shared/browser/browser_page.ts";
import {
  readSandboxAction,
  reportOf,
  type SandboxInput,
  sandboxInput,
} from "./shared/browser/sandbox_actions.ts";
import { keepInSandbox, readSandboxUploads } from "./shared/browser/sandbox_transfer.ts";

const output = z.object({
  success: z.literal(true),
  message: z.string(),
  url: z.string(),
  title: z.string(),
  element_count: z.int(),
  pixels_above: z.int(),
  pixels_below: z.int(),
  tabs: z.array(z.object({ id: z.int(), url: z.string(), title: z.string(), current: z.boolean() })),
  happened: z.array(z.string()),
  state: z.string(),
});

/** What a page of the sandbox is called; whether it is one is seen by who opens it. */
const OWN_PAGE = /^http:\/\/127\.0\.0\.1:\d+\/[0-9a-f]{32}\//;

export default defineTool({
  name: "sandbox_browser",
  description:
    "Use the web browser of the session, which stays open between calls. Each result shows the page: its texts, and what " +
    "can be used as [number]<tag attributes> text, with the same numbers in the picture. Give a number as index; it stays " +
    "that element's own. After small changes only these are shown; 'wait' with 0 seconds shows the whole page.\n" +
    "* navigate_to: url; go_back; wait: seconds; switch_tab, close_tab: page_id\n" +
    `* click_element: index; input_text: index and text, which replaces what is there, or names files of ${APART_FOLDER} for a field of files\n` +
    "* get_dropdown_options: index; select_dropdown_option: index and text\n" +
    "* scroll_down, scroll_up: amount; scroll_to_text: text; send_keys: keys\n" +
    "* click_coordinates: x and y in the picture; drag_drop: element_source and element_target\n" +
    `Downloads lie in ${APART_FOLDER}/downloads.`,
  input: sandboxInput,
  output,
  needs: { net: "granted", run: "granted" },
  readOnly: false,
  parallel: false,
  outside: true,
  examples: [
    {
      line: "action=navigate_to url=https://example.com --session ID",
      meaning: "Open a page in the browser of the sandbox",
    },
  ],
  limits: { timeoutMs: 120_000, concurrency: 1 },
  targets({ action, url = "" }) {
    const isWeb = action === "navigate_to" && /^https?:\/\//i.test(url.trim()) && !OWN_PAGE.test(url.trim());
    return isWeb ? [{ kind: "net", value: url.trim() }] : [];
  },
  async run(input, context): Promise<z.output<typeof output>> {
    const asked = readSandboxAction(input);
    const answer = await act(input, asked, context);
    const kept: string[] = [];
    for (const file of answer.files ?? []) {
      kept.push(`Downloaded file to ${await keepInSandbox(file, context)}`);
    }
    const state = await showPage(answer, context, { after: asked.action.do });
    const { page: { tabs, isPdf }, happened } = answer;
    const notes = isPdf ? ["The page is a PDF document: WebFetch reads its text"] : [];
    return {
      ...reportOf(asked.said(answer), answer),
      tabs: [...tabs],
      happened: [...kept, ...happened, ...notes],
      state,
    };
  },
  summary: ({ message }) => message.split("\n", 1)[0]!,
  text: ({ tabs: _, happened, state, ...report }) =>
    [JSON.stringify(report, null, 2), ...happened, "", state].join("\n"),
  errorText: ({ message }) => `Error: ${message}`,
});

async function act(input: SandboxInput, { action }: Asked, context: ToolContext): Promise<BrowserAnswer> {
  try {
    return await context.browser.act(action, { picture: true });
  } catch (error) {
    if (!takesFile(error) || action.do !== "type") throw inDocumentWords(input, error);
    const files = await readSandboxUploads(action.text, context);
    return await context.browser.act({ do: "give", element: action.element, files }, { picture: true });
  }
}
