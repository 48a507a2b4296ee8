import type {
  DesktopAction,
  DesktopAnswer,
  MouseButton,
  ScreenPlace,
} from "../../../schemas/desktop/desktop.ts";
import { ToolError } from "../../../schemas/error.ts";
import { sleep } from "../../wait/sleep.ts";
import type { Greeting } from "../protocol.ts";
import { DisplayKeyboard } from "./display_keyboard.ts";
import { isSame, pictureOf, type Pixels } from "./picture.ts";
import {
  fakeInput,
  getGeometry,
  getImage,
  getSelectionOwner,
  INPUT,
  internAtom,
  queryExtension,
  queryPointer,
  roundTrip,
} from "./x_requests.ts";
import { type DisplaySetup, numbersIn } from "./x_setup.ts";
import type { XWire } from "./x_wire.ts";

/** Buttons by name; the wheel's are pressed once a step. */
const BUTTONS: Readonly<Record<MouseButton, number>> = { left: 1, middle: 2, right: 3 };
const WHEEL = { up: 4, down: 5 };
/** Most steps of the wheel and most clicks at once. */
const MAX_TIMES = 100;
/** Time between two events of the mouse, in milliseconds: programs take faster ones for one. */
const MOUSE_MS = 15;
/** A way with a pressed button takes so long, in milliseconds, and so many steps. */
const DRAG = { ms: 300, steps: 15 };
/** A picture is taken once two are the same that are so far apart, in milliseconds, or after so many. */
const STILL = { ms: 100, tries: 10 };
/** How long a window manager is waited for, in milliseconds, and how often it is looked for. */
const MANAGER = { ms: 15_000, everyMs: 30 };

/** Drives one display. */
export class DisplayDriver {
  readonly #wire: XWire;
  readonly #setup: DisplaySetup;
  readonly #extension: number;
  readonly #keyboard: DisplayKeyboard;

  private constructor(
    wire: XWire,
    { setup, extension, keyboard }: { setup: DisplaySetup; extension: number; keyboard: DisplayKeyboard },
  ) {
    this.#wire = wire;
    this.#setup = setup;
    this.#extension = extension;
    this.#keyboard = keyboard;
  }

  /** Greets a display. Throws `ToolError` if it cannot be used. */
  static async open(wire: XWire, greeting: Greeting): Promise<DisplayDriver> {
    const setup = await wire.open(greeting);
    if (setup.depth < 24 || setup.bitsPerPixel !== 32) {
      throw new ToolError("unavailable", `The display has ${setup.depth} bits of colour, and 24 are needed`);
    }
    const found = await wire.ask(queryExtension("XTEST"));
    const [, , , , , , , , isThere, extension] = found;
    if (isThere !== 1) throw new ToolError("unavailable", "The display takes no input: it has no XTEST");
    if (greeting.isNew) await managed(wire);
    const keyboard = await DisplayKeyboard.open(wire, { extension: extension!, keycodes: setup.keycodes });
    return new DisplayDriver(wire, { setup, extension: extension!, keyboard });
  }

  /** Does one action. Throws `ToolError`, or the signal's reason. */
  async act(action: DesktopAction, signal: AbortSignal): Promise<DesktopAnswer> {
    const screen = await this.#size();
    for (const place of placesOf(action)) requireOn(screen, place);
    const before = await this.#pointer();
    const picture = await this.#do(action, signal);
    const pointer = await this.#pointer();
    return { screen, before, pointer, happened: [], ...picture !== null && { picture: pictureOf(picture) } };
  }

  async #do(action: DesktopAction, signal: AbortSignal): Promise<Pixels | null> {
    switch (action.do) {
      case "look":
        return await this.#look(signal);
      case "type":
        await this.#keyboard.type(action.text, signal);
        return null;
      case "press":
        await this.#keyboard.press(action.keys, signal);
        return null;
      case "drag":
        await this.#drag(action.to, signal);
        return null;
      case "move":
        await this.#move(action.at, signal);
        return null;
    }
    if (action.at !== undefined) await this.#move(action.at, signal);
    if (action.do === "click") this.#click(BUTTONS[action.button], Math.min(action.times, MAX_TIMES));
    else if (action.do === "scroll") {
      await this.#tap(action.steps > 0 ? WHEEL.up : WHEEL.down, Math.abs(action.steps), signal);
    } else this.#button(action.do === "down" ? INPUT.buttonDown : INPUT.buttonUp, BUTTONS[action.button]);
    await this.#wire.ask(roundTrip());
    return null;
  }

  async #move({ x, y }: ScreenPlace, signal: AbortSignal): Promise<void> {
    this.#moveTo({ x, y });
    await this.#wire.ask(roundTrip());
    await sleep(MOUSE_MS, signal);
  }

  /** The display itself keeps the times: on a busy machine the second half of a double click would come too late. */
  #click(button: number, times: number): void {
    for (let done = 0; done < times; done++) {
      this.#button(INPUT.buttonDown, button, done === 0 ? 0 : MOUSE_MS);
      this.#button(INPUT.buttonUp, button, MOUSE_MS);
    }
  }

  async #tap(button: number, times: number, signal: AbortSignal): Promise<void> {
    for (let left = Math.min(times, MAX_TIMES); left > 0; left -= 1) {
      this.#button(INPUT.buttonDown, button);
      try {
        await sleep(MOUSE_MS, signal);
      } finally {
        this.#button(INPUT.buttonUp, button);
      }
      await sleep(MOUSE_MS, signal);
    }
  }

  async #drag(to: ScreenPlace, signal: AbortSignal): Promise<void> {
    const from = await this.#pointer();
    this.#button(INPUT.buttonDown, BUTTONS.left);
    try {
      for (let step = 1; step <= DRAG.steps; step += 1) {
        await sleep(DRAG.ms / DRAG.steps, signal);
        const part = step / DRAG.steps;
        this.#moveTo({
          x: Math.round(from.x + (to.x - from.x) * part),
          y: Math.round(from.y + (to.y - from.y) * part),
        });
      }
      await sleep(DRAG.ms / DRAG.steps, signal);
    } finally {
      this.#button(INPUT.buttonUp, BUTTONS.left);
    }
    await this.#wire.ask(roundTrip());
  }

  #button(kind: number, detail: number, delayMs = 0): void {
    this.#wire.tell(fakeInput(this.#extension, { kind, detail, delayMs }));
  }

  #moveTo({ x, y }: ScreenPlace): void {
    const { root } = this.#setup;
    this.#wire.tell(fakeInput(this.#extension, { kind: INPUT.motion, detail: 0, root, x, y }));
  }

  async #look(signal: AbortSignal): Promise<Pixels> {
    let before = await this.#pixels();
    for (let tries = STILL.tries; tries > 0; tries -= 1) {
      await sleep(STILL.ms, signal);
      const after = await this.#pixels();
      if (isSame(before, after)) return after;
      before = after;
    }
    return before;
  }

  async #pixels(): Promise<Pixels> {
    const size = await this.#size();
    const reply = await this.#wire.ask(getImage(this.#setup.root, size));
    const bytes = reply.subarray(32);
    if (bytes.length < 4 * size.width * size.height) {
      throw new ToolError("external_failure", "The display sent half a picture");
    }
    return { ...size, bytes };
  }

  /** A screen may be resized. */
  async #size(): Promise<{ width: number; height: number }> {
    const view = numbersIn(await this.#wire.ask(getGeometry(this.#setup.root)));
    return { width: view.getUint16(16, true), height: view.getUint16(18, true) };
  }

  async #pointer(): Promise<ScreenPlace> {
    const view = numbersIn(await this.#wire.ask(queryPointer(this.#setup.root)));
    return { x: view.getInt16(16, true), y: view.getInt16(18, true) };
  }
}

/** Waits for a window manager: windows that come before it get no frame and no keys. */
async function managed(wire: XWire): Promise<void> {
  const atom = numbersIn(await wire.ask(internAtom("WM_S0"))).getUint32(8, true);
  const never = new AbortController().signal;
  for (let left = MANAGER.ms; left > 0; left -= MANAGER.everyMs) {
    if (numbersIn(await wire.ask(getSelectionOwner(atom))).getUint32(8, true) !== 0) return;
    await sleep(MANAGER.everyMs, never);
  }
  throw new ToolError("unavailable", "The window manager of the desktop did not start");
}

function placesOf(action: DesktopAction): ScreenPlace[] {
  if (action.do === "drag") return [action.to];
  return "at" in action && action.at !== undefined ? [action.at] : [];
}

function requireOn({ width, height }: { width: number; height: number }, { x, y }: ScreenPlace): void {
  if (x >= 0 && y >= 0 && x < width && y < height) return;
  throw new ToolError(
    "invalid_input",
    `(${x}, ${y}) is outside of the screen: x goes from 0 to ${width - 1}, y from 0 to ${height - 1}`,
    { details: { x, y, width, height } },
  );
}
