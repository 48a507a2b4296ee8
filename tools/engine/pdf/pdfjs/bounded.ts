import { Buffer } from "node:buffer";

import { Unzlib } from "fflate";

import { ToolError } from "../../../../schemas/error.ts";

/** Largest piece of memory of pdf.js, in bytes, half of PDFium's whole: it holds some of them at a time. */
const MAX_BYTES = 128 * 1024 * 1024;
/** The same after the first refusal: pdf.js would inflate again in another way. */
const MAX_BYTES_AFTER = 64 * 1024;
/** Bytes inflated at a time: to at most 1,032 times as many. */
const STEP_BYTES = 16 * 1024;

/**
 * Does some work with pdf.js, which has no bounds of its own. It takes its memory as `Uint8Array` and
 * inflates with `DecompressionStream`; during the work both refuse more than a document may have. One work at
 * a time.
 *
 * @throws {ToolError} `limit_exceeded` if one refused, even if the work went on
 */
export async function boundMemory<T>(work: () => Promise<T>): Promise<T> {
  const { Uint8Array, DecompressionStream } = globalThis;
  const bound = new Bound();
  Object.assign(globalThis, {
    Uint8Array: new Proxy(Uint8Array, {
      construct(target, given, newTarget) {
        if (typeof given[0] === "number") bound.check(given[0]);
        return Reflect.construct(target, given, newTarget);
      },
    }),
    DecompressionStream: class {
      constructor(format: string) {
        // pdf.js writes a whole stream at once.
        return new TransformStream({
          transform: (chunk, controller) => controller.enqueue(bound.inflate(chunk, format)),
        });
      }
    },
  });
  try {
    const result = await work();
    bound.throwIfBurst();
    return result;
  } catch (error) {
    bound.throwIfBurst();
    throw error;
  } finally {
    Object.assign(globalThis, { Uint8Array, DecompressionStream });
  }
}

class Bound {
  #burst = false;

  check(size: number): void {
    if (size <= (this.#burst ? MAX_BYTES_AFTER : MAX_BYTES)) return;
    this.#burst = true;
    throw new RangeError(`${size} bytes are more than ${MAX_BYTES}`);
  }

  /** Inflates in small steps: the inflaters of the system stop too late or never. */
  inflate(bytes: Uint8Array, format: string): Uint8Array {
    if (format !== "deflate") throw new TypeError(`pdf.js has to inflate ${format} itself`);
    const parts: Uint8Array[] = [];
    let size = 0;
    const inflating = new Unzlib((part) => {
      this.check(size += part.length);
      parts.push(part);
    });
    for (let at = 0; at < bytes.length; at += STEP_BYTES) {
      inflating.push(bytes.subarray(at, at + STEP_BYTES), at + STEP_BYTES >= bytes.length);
    }
    return Buffer.concat(parts);
  }

  throwIfBurst(): void {
    if (!this.#burst) return;
    throw new ToolError(
      "limit_exceeded",
      "The PDF needs too much memory when it is unpacked: it was refused",
    );
  }
}
