import { ToolError } from "../../../schemas/error.ts";
import { sleep } from "../../wait/sleep.ts";
import { isControl, signOf, signOfKey } from "./key_names.ts";
import { changeKeyboardMapping, fakeInput, getKeyboardMapping, INPUT, roundTrip } from "./x_requests.ts";
import { numbersIn } from "./x_setup.ts";
import type { XWire } from "./x_wire.ts";

/** Time between two strokes, in milliseconds. */
const STROKE_MS = 5;
/** Time in which programs hear of keys that got other signs, in milliseconds. */
const HEARD_MS = 150;
/** Most characters that are typed at once. */
const MAX_TEXT = 4_000;

/** A key on the keyboard, and whether shift gives the sign. */
interface Stroke {
  keycode: number;
  shift: boolean;
}

/** The keyboard of a display. Signs that no key has are given to keys that have none. */
export class DisplayKeyboard {
  readonly #wire: XWire;
  readonly #extension: number;
  /** Numbers of signs that a key has. */
  readonly #perKey: number;
  readonly #strokes = new Map<number, Stroke>();
  /** Keys without signs. */
  readonly #spare: number[] = [];
  /** Which sign each spare key has; the one that was given longest ago is first. */
  readonly #given = new Map<number, number>();

  private constructor(wire: XWire, extension: number, mapping: Uint8Array, first: number) {
    this.#wire = wire;
    this.#extension = extension;
    this.#perKey = mapping[1]!;
    this.#learn(mapping, first);
  }

  /** @param extension Number of XTEST */
  static async open(
    wire: XWire,
    { extension, keycodes }: { extension: number; keycodes: { min: number; max: number } },
  ): Promise<DisplayKeyboard> {
    return new DisplayKeyboard(wire, extension, await wire.ask(getKeyboardMapping(keycodes)), keycodes.min);
  }

  /** Presses keys together, first to last, and releases them last to first. Throws `invalid_input` for an unknown key. */
  async press(names: readonly string[], signal: AbortSignal): Promise<void> {
    // With other keys, a letter means its key.
    const signs = names.map((name) => signOfKey(names.length > 1 ? name.toLowerCase() : name));
    await this.#give(signs, signal);
    const strokes = signs.map((sign) => this.#strokeOf(sign));
    const shift = this.#strokeOf(signOfKey("shift")).keycode;
    const keys = [
      ...strokes.some((stroke) => stroke.shift) ? [shift] : [],
      ...strokes.map(({ keycode }) => keycode),
    ];
    const pressed: number[] = [];
    try {
      for (const key of new Set(keys)) {
        this.#key(INPUT.keyDown, key);
        pressed.unshift(key);
        await sleep(STROKE_MS, signal);
      }
    } finally {
      for (const key of pressed) this.#key(INPUT.keyUp, key);
    }
    await this.#wire.ask(roundTrip());
  }

  /** Types a text. Throws `invalid_input` if it is too long or holds what cannot be typed. */
  async type(text: string, signal: AbortSignal): Promise<void> {
    const characters = [...text.replace(/\r\n?/g, "\n")];
    if (characters.length > MAX_TEXT) {
      throw new ToolError(
        "invalid_input",
        `Cannot type ${characters.length} characters at once, only ${MAX_TEXT}: type them in parts`,
      );
    }
    const odd = characters.find(isControl);
    if (odd !== undefined) throw new ToolError("invalid_input", `Cannot type ${JSON.stringify(odd)}`);
    let rest = characters.map(signOf);
    while (rest.length > 0) {
      const count = this.#possible(rest);
      await this.#give(rest.slice(0, count), signal);
      for (const sign of rest.slice(0, count)) await this.#tap(this.#strokeOf(sign), signal);
      rest = rest.slice(count);
    }
    await this.#wire.ask(roundTrip());
  }

  async #tap({ keycode, shift }: Stroke, signal: AbortSignal): Promise<void> {
    const held = shift ? [this.#strokeOf(signOfKey("shift")).keycode, keycode] : [keycode];
    for (const key of held) this.#key(INPUT.keyDown, key);
    for (const key of held.toReversed()) this.#key(INPUT.keyUp, key);
    await sleep(STROKE_MS, signal);
  }

  #key(kind: number, detail: number): void {
    this.#wire.tell(fakeInput(this.#extension, { kind, detail }));
  }

  /** Returns for how many of the signs there are keys at the same time. */
  #possible(signs: readonly number[]): number {
    const odd = new Set<number>();
    for (const [index, sign] of signs.entries()) {
      if (this.#strokes.has(sign)) continue;
      if (!odd.has(sign) && odd.size === this.#spare.length) return Math.max(1, index);
      odd.add(sign);
    }
    return signs.length;
  }

  /** Gives keys to signs that have none. */
  async #give(signs: readonly number[], signal: AbortSignal): Promise<void> {
    const missing = [...new Set(signs)].filter((sign) => !this.#strokes.has(sign) && !this.#isGiven(sign));
    if (missing.length === 0) return;
    // Programs must have heard of the strokes before, which had the earlier signs.
    await this.#wire.ask(roundTrip());
    await sleep(HEARD_MS, signal);
    for (const sign of missing) {
      const keycode = this.#freeKey(signs);
      if (keycode === null) continue;
      this.#given.delete(keycode);
      this.#given.set(keycode, sign);
      this.#wire.tell(
        changeKeyboardMapping(keycode, Array.from({ length: this.#perKey }, (_, at) => at < 2 ? sign : 0)),
      );
    }
    await this.#wire.ask(roundTrip());
    await sleep(HEARD_MS, signal);
  }

  #isGiven(sign: number): boolean {
    return [...this.#given.values()].includes(sign);
  }

  /** A key without a sign, else the one whose sign is not needed now. */
  #freeKey(needed: readonly number[]): number | null {
    const fresh = this.#spare.find((keycode) => !this.#given.has(keycode));
    if (fresh !== undefined) return fresh;
    return [...this.#given].find(([, sign]) => !needed.includes(sign))?.[0] ?? null;
  }

  #strokeOf(sign: number): Stroke {
    const own = this.#strokes.get(sign);
    if (own !== undefined) return own;
    const [keycode] = [...this.#given].find(([, given]) => given === sign) ?? [];
    if (keycode !== undefined) return { keycode, shift: false };
    throw new ToolError("external_failure", "The display has no key for a character");
  }

  #learn(mapping: Uint8Array, first: number): void {
    const view = numbersIn(mapping);
    const count = (mapping.length - 32) / 4 / this.#perKey;
    for (let index = 0; index < count; index += 1) {
      const at = 32 + 4 * index * this.#perKey;
      const signs = Array.from(
        { length: this.#perKey },
        (_, column) => view.getUint32(at + 4 * column, true),
      );
      const keycode = first + index;
      if (signs.every((sign) => sign === 0)) this.#spare.push(keycode);
      // Only the first two are what a key gives by itself and with shift.
      for (const [column, sign] of signs.slice(0, 2).entries()) {
        if (sign !== 0 && !this.#strokes.has(sign)) this.#strokes.set(sign, { keycode, shift: column === 1 });
      }
    }
  }
}
