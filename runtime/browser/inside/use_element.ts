import type { KeyInput, Page } from "puppeteer-core";

import type { BrowserFile, BrowserOption, BrowserPoint } from "../../../schemas/browser/browser.ts";
import { ToolError } from "../../../schemas/error.ts";
import { type NumberedPage, outdated } from "./page/numbered_page.ts";
import { inFrame, inPage } from "./page/page_world.ts";
import { within } from "./page/waiting.ts";

/** Where an action happens. */
export interface ElementPlace {
  page: Page;
  numbers: NumberedPage;
}

/** Longest time for one use of an element, in milliseconds. */
const USE_MS = 10_000;
/** Text is typed key by key up to this length; a longer one comes at once. */
const TYPED_CHARS = 200;

/** Clicks an element where nothing covers it. Returns whether its link is for a download. */
export async function clickElement(number: number, place: ElementPlace): Promise<boolean> {
  const { x, y, downloads } = await pointOf(number, place);
  await within(place.page.mouse.click(x, y), USE_MS);
  return downloads;
}

/**
 * Brings an element into view. Returns a point of it that nothing covers.
 *
 * @param options With `isStill` nothing is moved
 */
export async function pointOf(
  number: number,
  { page, numbers }: ElementPlace,
  { isStill = false } = {},
): Promise<BrowserPoint & { downloads: boolean }> {
  const frame = numbers.frameOf(number, page);
  const place = await within(inFrame(frame, "place", number, isStill), USE_MS);
  if (place.is === "gone") throw outdated(number);
  if (place.is === "off") throw conflict(`Element ${number} cannot be clicked: it is disabled`);
  if (place.is === "hidden") throw conflict(`Element ${number} is not shown any more`);
  if (place.is === "covered") throw covered(number, place.by);
  const at = await within(inPage(frame, place), USE_MS);
  if (at.by !== null) throw covered(number, at.by);
  return { x: at.x, y: at.y, downloads: place.downloads };
}

/** Replaces the text of a field, as a person would. */
export async function typeInto(number: number, text: string, { page, numbers }: ElementPlace): Promise<void> {
  const frame = numbers.frameOf(number, page);
  const field = await within(inFrame(frame, "field", number, text), USE_MS);
  if (field.is === "gone") throw outdated(number);
  if (field.is === "closed") throw conflict(`Element ${number} takes no text: it is disabled or read-only`);
  if (field.is === "file") {
    throw new ToolError("conflict", `Element ${number} takes a file and no text`, {
      details: { takes: "file" },
    });
  }
  if (field.is === "refused") {
    throw new ToolError("invalid_input", `Element ${number} does not take ${JSON.stringify(text)}`);
  }
  if (field.is === "other") {
    throw new ToolError("invalid_input", `Element ${number} is no field for text: click it instead`);
  }
  if (field.is === "done") return;
  // What is selected is replaced.
  if (text === "") {
    if (!field.wasEmpty) await page.keyboard.press("Delete");
  } else if (text.length > TYPED_CHARS) await within(page.keyboard.sendCharacter(text), USE_MS);
  else await within(page.keyboard.type(text), USE_MS);
}

/** Gives files to a field that takes files. */
export async function giveFiles(
  number: number,
  files: readonly BrowserFile[],
  { page, numbers }: ElementPlace,
): Promise<void> {
  const frame = numbers.frameOf(number, page);
  const { is } = await within(inFrame(frame, "give", number, files), USE_MS);
  if (is === "gone") throw outdated(number);
  if (is === "other") throw new ToolError("invalid_input", `Element ${number} takes no files`);
  if (is === "closed") throw conflict(`Element ${number} takes no files: it is disabled`);
  if (is === "single") {
    throw new ToolError("invalid_input", `Element ${number} takes one file, not ${files.length}`);
  }
}

/** Lists the options of a drop-down list. */
export async function listOptions(
  number: number,
  { page, numbers }: ElementPlace,
): Promise<readonly BrowserOption[]> {
  const frame = numbers.frameOf(number, page);
  const { is, list = [] } = await within(inFrame(frame, "options", number), USE_MS);
  if (is === "gone") throw outdated(number);
  if (is === "other") throw noList(number);
  return list;
}

/** Chooses an option, and returns its text. */
export async function chooseOption(
  number: number,
  text: string,
  { page, numbers }: ElementPlace,
): Promise<string> {
  const frame = numbers.frameOf(number, page);
  const { is, text: chosen = text } = await within(inFrame(frame, "choose", number, text), USE_MS);
  if (is === "gone") throw outdated(number);
  if (is === "other") throw noList(number);
  if (is === "closed") throw conflict(`Element ${number} takes no choice: it is disabled`);
  if (is === "off") {
    throw conflict(`Element ${number} does not take ${JSON.stringify(text)} now: that option is disabled`);
  }
  if (is === "missing") {
    const options = await listOptions(number, { page, numbers });
    const known = options.filter((one) => one.disabled !== true).slice(0, 20)
      .map((one) => JSON.stringify(one.text)).join(", ");
    throw new ToolError(
      "not_found",
      `Element ${number} has no option ${JSON.stringify(text)}: it has ${known}`,
    );
  }
  return chosen;
}

/** Words for keys beside their own names. */
const KEYS: Readonly<Record<string, string>> = {
  ctrl: "Control",
  cmd: "Meta",
  command: "Meta",
  option: "Alt",
  esc: "Escape",
  return: "Enter",
  del: "Delete",
  up: "ArrowUp",
  down: "ArrowDown",
  left: "ArrowLeft",
  right: "ArrowRight",
  pgup: "PageUp",
  pgdn: "PageDown",
  spacebar: "Space",
  controlormeta: "Control",
};
const NAMED = [
  ...[
    "Control",
    "Shift",
    "Alt",
    "Meta",
    "Enter",
    "Tab",
    "Escape",
    "Backspace",
    "Delete",
    "Insert",
    "Home",
    "End",
  ],
  ...["PageUp", "PageDown", "ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight", "Space"],
  ...Array.from({ length: 12 }, (_, at) => `F${at + 1}`),
];

/** Presses keys at once, the last one last. Throws `invalid_input` for a key that there is not. */
export async function pressKeys(keys: string, page: Page): Promise<void> {
  const names = splitKeys(keys).map(keyOf);
  const missing = names.length > 1 && names.find((name) => !isOnKeyboard(name));
  if (missing) throw noKey(missing);
  const [last, ...held] = names.toReversed();
  if (last === undefined) throw new ToolError("invalid_input", "No key is named: name one, such as Enter");
  const down: KeyInput[] = [];
  try {
    for (const key of held.toReversed()) {
      await page.keyboard.down(key);
      down.push(key);
    }
    const pressing = isOnKeyboard(last) ? page.keyboard.press(last) : page.keyboard.sendCharacter(last);
    await within(pressing, USE_MS);
  } finally {
    for (const key of down.toReversed()) await page.keyboard.up(key).catch(() => {});
  }
}

/** A plus is a key too, at the end. */
function splitKeys(keys: string): string[] {
  const text = keys.trim();
  if (text === "+") return ["+"];
  const parts = text.endsWith("++") ? [...text.slice(0, -2).split("+"), "+"] : text.split("+");
  return parts.map((part) => part.trim()).filter((part) => part !== "");
}

function keyOf(word: string): KeyInput {
  if ([...new Intl.Segmenter().segment(word)].length === 1) return word as KeyInput;
  const named = KEYS[word.toLowerCase()] ?? NAMED.find((name) => name.toLowerCase() === word.toLowerCase());
  if (named !== undefined) return named as KeyInput;
  throw noKey(word);
}

/** Other characters come as text, as from the keyboard of another language. */
function isOnKeyboard(key: string): boolean {
  return /^(?:[ -~]|\w{2,})$/.test(key);
}

function noKey(word: string): ToolError {
  return new ToolError(
    "invalid_input",
    `There is no key ${JSON.stringify(word)}: use names such as Enter, Tab, Escape, ArrowDown, F5, Control+a`,
  );
}

function covered(number: number, by: string): ToolError {
  return conflict(`Element ${number} cannot be clicked: ${by} lies over it`);
}

function conflict(message: string): ToolError {
  return new ToolError("conflict", message);
}

function noList(number: number): ToolError {
  return new ToolError("invalid_input", `Element ${number} is no drop-down list: click it instead`);
}
