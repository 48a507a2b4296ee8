import { initWasm } from "@resvg/resvg-wasm";
import wasm from "@resvg/resvg-wasm/index_bg.wasm" with { type: "bytes" };

import { boundWasm } from "./bound_wasm.ts";

/** Filters and pictures inside can ask for any amount of memory, in bytes. */
const MAX_MEMORY = 384 * 1024 * 1024;

/** Resolves when the renderer can be used; it takes its module only once in a room. */
export const rendererReady: Promise<unknown> = initWasm(
  // Beside other work, on threads of the engine.
  WebAssembly.compile(boundWasm(wasm, { maxBytes: MAX_MEMORY })),
);
