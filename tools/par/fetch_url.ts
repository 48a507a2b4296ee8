import * as z from "zod";

import { ToolError } from "../../schemas/error.ts";
import { defineTool } from "../../schemas/tool.ts";
import { retryAfter } from "../engine/web/service/refuse_status.ts";
import { takeChars } from "../engine/web/fetch/clean_text.ts";
import { bounded } from "./shared/bounded.ts";

const MAX_BYTES = 10 * 1024 * 1024;
const TIMEOUT_MS = 15_000;
const MIN_LENGTH = 100;
const MAX_LENGTH = 500_000;
const DEFAULT_LENGTH = 50_000;

export default defineTool({
  name: "fetch_url",
  description: "Gets a URL by HTTP and returns the raw text of the answer, whatever its status. " +
    'Example: {"url": "https://example.com", "max_length": 50000}.',
  input: z.object({
    url: z.string().describe("URL, beginning with http:// or https://."),
    max_length: z.int().default(DEFAULT_LENGTH).describe(
      `Most characters to return, from ${MIN_LENGTH} to ${MAX_LENGTH}.`,
    ),
  }),
  output: z.object({
    url: z.string(),
    status: z.int(),
    content: z.string(),
    content_length: z.int(),
    truncated: z.boolean(),
  }),
  needs: { net: "granted" },
  readOnly: true,
  parallel: false,
  outside: true,
  examples: [{ line: "url=https://example.com", meaning: "Get a page as it is" }],
  shows: { kind: "text", at: "content" },
  limits: { timeoutMs: TIMEOUT_MS },
  targets: ({ url }) => [{ kind: "net", value: url.trim() }],
  async run({ url, max_length }, { web, warn }) {
    if (url.trim() === "") {
      throw new ToolError("invalid_input", "There is no URL: give one, such as https://example.com");
    }
    const most = bounded("max_length", max_length, { least: MIN_LENGTH, most: MAX_LENGTH, warn });
    const answer = await web.request({ url: url.trim(), maxBytes: MAX_BYTES });
    const after = answer.status === 429 || answer.status >= 500 ? retryAfter(answer) : null;
    if (after !== null) warn(`HTTP ${answer.status}: the server asks to try again in ${after} s`);
    const text = decode(answer.body, answer.headers["content-type"] ?? "");
    const { text: content, next } = takeChars(text, { start: 0, count: most });
    return {
      url: answer.url,
      status: answer.status,
      content,
      content_length: next,
      truncated: answer.truncated || content.length < text.length,
    };
  },
  summary: ({ status, content_length }) => `HTTP ${status} · ${content_length} characters`,
});

/** Reads the bytes in the character set that the answer names, else as UTF-8: the raw text is not looked into. */
function decode(bytes: Uint8Array, contentType: string): string {
  const [, label = "utf-8"] = /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(contentType) ?? [];
  try {
    return new TextDecoder(label).decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes);
  }
}
