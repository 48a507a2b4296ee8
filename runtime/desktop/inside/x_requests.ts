// The requests of X that are used, as bytes. Numbers stand with their lowest byte first.

import { padded } from "./x_setup.ts";

/** Numbers of the core's requests. */
const CORE = {
  getGeometry: 14,
  internAtom: 16,
  getSelectionOwner: 23,
  queryPointer: 38,
  getInputFocus: 43,
  getImage: 73,
  queryExtension: 98,
  changeKeyboardMapping: 100,
  getKeyboardMapping: 101,
} as const;
/** Number of the request of the extension XTEST that makes input, beside the extension's own. */
const FAKE_INPUT = 2;
/** A picture comes as rows of whole pixels. */
const WHOLE_PIXELS = 2;

/** What input is made: the numbers of events. */
export const INPUT = { keyDown: 2, keyUp: 3, buttonDown: 4, buttonUp: 5, motion: 6 } as const;

type Request = Uint8Array<ArrayBuffer>;

/** Makes a request; `fill` writes behind its head of four bytes, from offset 0 of the request. */
function request(
  code: number,
  length: number,
  { detail = 0, fill = () => {} }: { detail?: number; fill?: (view: DataView) => void } = {},
): Request {
  const bytes = new Uint8Array(padded(length));
  const view = new DataView(bytes.buffer);
  bytes[0] = code;
  bytes[1] = detail;
  view.setUint16(2, bytes.length / 4, true);
  fill(view);
  return bytes;
}

export function getGeometry(drawable: number): Request {
  return request(CORE.getGeometry, 8, { fill: (view) => view.setUint32(4, drawable, true) });
}

export function queryPointer(window: number): Request {
  return request(CORE.queryPointer, 8, { fill: (view) => view.setUint32(4, window, true) });
}

/** Changes nothing: its reply says that all requests before were done. */
export function roundTrip(): Request {
  return request(CORE.getInputFocus, 4);
}

export function getSelectionOwner(atom: number): Request {
  return request(CORE.getSelectionOwner, 8, { fill: (view) => view.setUint32(4, atom, true) });
}

export function internAtom(name: string): Request {
  return named(CORE.internAtom, name);
}

export function queryExtension(name: string): Request {
  return named(CORE.queryExtension, name);
}

export function getImage(
  drawable: number,
  { width, height }: { width: number; height: number },
): Request {
  return request(CORE.getImage, 20, {
    detail: WHOLE_PIXELS,
    fill(view) {
      view.setUint32(4, drawable, true);
      view.setUint16(12, width, true);
      view.setUint16(14, height, true);
      view.setUint32(16, 0xffffffff, true);
    },
  });
}

export function getKeyboardMapping({ min, max }: { min: number; max: number }): Request {
  return request(CORE.getKeyboardMapping, 8, {
    fill(view) {
      view.setUint8(4, min);
      view.setUint8(5, max - min + 1);
    },
  });
}

/** Gives one key its signs. */
export function changeKeyboardMapping(keycode: number, signs: readonly number[]): Request {
  return request(CORE.changeKeyboardMapping, 8 + 4 * signs.length, {
    detail: 1,
    fill(view) {
      view.setUint8(4, keycode);
      view.setUint8(5, signs.length);
      for (const [index, sign] of signs.entries()) view.setUint32(8 + 4 * index, sign, true);
    },
  });
}

/** Makes input as if it came from a keyboard or a mouse. */
export function fakeInput(
  extension: number,
  { kind, detail, delayMs = 0, root = 0, x = 0, y = 0 }: {
    kind: number;
    /** The key or the button. */
    detail: number;
    /** The display waits so long before it. @default 0 */
    delayMs?: number;
    root?: number;
    x?: number;
    y?: number;
  },
): Request {
  return request(extension, 36, {
    detail: FAKE_INPUT,
    fill(view) {
      view.setUint8(4, kind);
      view.setUint8(5, detail);
      view.setUint32(8, delayMs, true);
      view.setUint32(12, root, true);
      view.setInt16(24, x, true);
      view.setInt16(26, y, true);
    },
  });
}

function named(code: number, name: string): Request {
  const bytes = new TextEncoder().encode(name);
  return request(code, 8 + bytes.length, {
    fill(view) {
      view.setUint16(4, bytes.length, true);
      for (const [index, byte] of bytes.entries()) view.setUint8(8 + index, byte);
    },
  });
}
