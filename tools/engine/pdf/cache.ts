import { createHash } from "node:crypto";

import * as z from "zod";

import type { ToolContext } from "../../../schemas/context.ts";
import { readBytes } from "../file/read_bytes.ts";
import { type PdfReading, pdfReading, type PdfRequest } from "./reading.ts";

const MAX_KEPT_BYTES = 64 * 1024 * 1024;

const kept = z.object({ path: z.string(), sha256: z.string() });

/** Names a reading by what it was made from: the bytes of the file and what was asked for, the password as a hash. */
export function readingKey(bytes: Uint8Array, request: PdfRequest): string {
  const content = createHash("sha256").update(bytes).digest("hex");
  const { password, ...open } = request;
  const secret = password === undefined
    ? ""
    : createHash("sha256").update(content).update(password).digest("hex");
  return createHash("sha256").update(JSON.stringify([content, secret, Object.entries(open).sort()])).digest(
    "hex",
  );
}

/** Returns an earlier reading, if it and all its files are still there as they were written. */
export async function findReading(key: string, context: ToolContext): Promise<PdfReading | null> {
  const entry = kept.safeParse(await context.session.get(sessionKey(key)));
  if (!entry.success) return null;
  try {
    using open = await context.files.open(entry.data.path);
    const bytes = await readBytes(open.file, { size: open.info.size, maxBytes: MAX_KEPT_BYTES });
    if (sha256(bytes) !== entry.data.sha256) return null;
    const reading = pdfReading.parse(JSON.parse(new TextDecoder().decode(bytes)));
    for (const path of filesOf(reading)) {
      if (!(await context.files.locate(path, "read")).info?.isFile) return null;
    }
    return reading;
  } catch {
    // If the kept reading is broken, the file itself can be read again.
    return null;
  }
}

/** Keeps a reading for the next call of the session; a reading that cannot be kept is not a failure. */
export async function keepReading(key: string, reading: PdfReading, context: ToolContext): Promise<void> {
  const bytes = new TextEncoder().encode(JSON.stringify(reading));
  if (bytes.length > MAX_KEPT_BYTES) return;
  try {
    const { path } = await context.artifacts.write(`readpdf-${key.slice(0, 16)}.json`, bytes);
    await context.session.set(sessionKey(key), { path, sha256: sha256(bytes) });
  } catch {
    context.signal.throwIfAborted();
  }
}

function sessionKey(key: string): string {
  return `readpdf:${key}`;
}

function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

function filesOf({ imagePaths, renderedPages }: PdfReading): string[] {
  return [...imagePaths, ...renderedPages.map(({ path }) => path)];
}
