import { Buffer } from "node:buffer";
import * as z from "zod";

import type { ToolContext } from "../../schemas/context.ts";
import type { DesktopAnswer } from "../../schemas/desktop/desktop.ts";
import { ToolError } from "../../schemas/error.ts";
import { defineTool } from "../../schemas/tool.ts";
import { SERVICE_VARIABLE, serviceAddress, serviceDesktop } from "../engine/desktop/service_desktop.ts";
import { type Asked, computerInput, readComputerCall } from "./shared/desktop_actions.ts";

const size = z.object({ width: z.int(), height: z.int() });
const place = z.object({ x: z.int(), y: z.int() });

const output = z.object({
  output: z.string(),
  screen: size.nullable(),
  pointer: place.nullable(),
  happened: z.array(z.string()),
});

type Output = z.output<typeof output>;

export default defineTool({
  name: "computer_use",
  description:
    "Use programs with windows on a desktop that stays between calls, by mouse, keyboard and screenshots. Coordinates are " +
    "pixels of the screen. Look at a screenshot before you click, and after it. A click on the empty desktop opens a menu of " +
    "programs, with a terminal.\n" +
    "* move_to, drag_to: x and y\n" +
    "* click: x, y, button, num_clicks; mouse_down, mouse_up: x, y, button; scroll: amount, x, y; without x and y, where the " +
    "pointer is\n" +
    "* typing: text; press: key; hotkey: keys\n" +
    "* wait: duration; screenshot: nothing more",
  input: computerInput,
  output,
  needs: { net: "if-granted", run: "granted" },
  readOnly: false,
  interprets: true,
  parallel: false,
  leavesFiles: true,
  settings: [SERVICE_VARIABLE],
  examples: [{ line: "action=screenshot", meaning: "Start a desktop and show its screen" }],
  limits: { timeoutMs: 120_000, concurrency: 1 },
  targets({ action }, { settings }) {
    if (action === "wait") return [];
    const address = serviceAddress(settings);
    return [address === null ? { kind: "run", value: "Xvfb" } : { kind: "net", value: address }];
  },
  async run(input, context): Promise<Output> {
    const asked = readComputerCall(input);
    if ("waitMs" in asked) {
      await pause(asked.waitMs, context.signal);
      return { output: asked.said, screen: null, pointer: null, happened: [] };
    }
    const answer = await act(asked, context);
    const { screen, pointer, happened, picture } = answer;
    const said = picture === undefined ? asked.said(answer) : await keep(answer, context);
    return { output: said, screen, pointer, happened: [...happened] };
  },
  summary: ({ output }) => output.split("\n", 1)[0]!,
  text: ({ output, happened }) => [output, ...happened].join("\n"),
  errorText: ({ message }) => `Error: ${message}`,
});

/** The refusals of walls and of arguments have words of their own. */
const OWN_WORDS: readonly ToolError["code"][] = [
  "cancelled",
  "configuration",
  "invalid_input",
  "permission_denied",
  "timeout",
  "unavailable",
];

async function act(
  { action, failed }: Extract<Asked, { action: unknown }>,
  context: ToolContext,
): Promise<DesktopAnswer> {
  const address = serviceAddress(context.settings);
  const desktop = address === null ? context.desktop : serviceDesktop(address, context);
  try {
    return await desktop.act(action);
  } catch (error) {
    if (!(error instanceof ToolError) || OWN_WORDS.includes(error.code)) throw error;
    const { code, message, retryable, details } = error;
    throw new ToolError(code, `${failed}: ${message}`, { retryable, details, cause: error });
  }
}

/** Keeps a picture as a file, and shows it to the model. */
async function keep({ screen, picture }: DesktopAnswer, context: ToolContext): Promise<string> {
  const { base64, mimeType, width, height } = picture!;
  const bytes = new Uint8Array(Buffer.from(base64, "base64"));
  context.attach({ mimeType, bytes });
  const ending = mimeType === "image/jpeg" ? "jpg" : "png";
  const { path } = await context.artifacts.write(`screenshot_${timestamp(new Date())}.${ending}`, bytes);
  const isSmaller = screen !== null && (screen.width !== width || screen.height !== height);
  const note = isSmaller
    ? `\nThe picture has ${width} × ${height} pixels, the screen ${screen.width} × ${screen.height}: multiply places in the ` +
      `picture by ${(screen.width / width).toFixed(3)}`
    : "";
  return `Screenshot saved as ${path}${note}`;
}

function timestamp(now: Date): string {
  const two = (value: number) => String(value).padStart(2, "0");
  const day = [now.getFullYear(), two(now.getMonth() + 1), two(now.getDate())].join("");
  return `${day}_${two(now.getHours())}${two(now.getMinutes())}${two(now.getSeconds())}`;
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  const onAbort = () => reject(signal.reason);
  signal.addEventListener("abort", onAbort, { once: true });
  return promise.finally(() => {
    clearTimeout(timer);
    signal.removeEventListener("abort", onAbort);
  });
}
