import { dirname, join } from "@std/path";

import { isObject } from "../../../schemas/json/shape.ts";
import { namesIn } from "../../walls/files/file_facts.ts";
import { systemError } from "../../walls/files/system_error.ts";
import { readNamedText } from "../../walls/files/open_plain.ts";

/** What the user trusts of a folder: these parts of it, as long as they say what they said. */
export interface TrustRecord {
  /** Real path. */
  folder: string;
  /** When the user said so, as ISO 8601. */
  since: string;
  /** SHA-256 of each part, by its name: its path in the folder. */
  parts: Readonly<Record<string, string>>;
}

/**
 * Reads what the user trusts of a folder; `null` if nothing. A record that cannot be read trusts nothing. Needs `read`.
 *
 * @param state Where bulkhead keeps what outlives a run: no tool and no program of a run can reach it
 * @param folder Real path
 */
export async function readTrust(state: string, folder: string): Promise<TrustRecord | null> {
  const record = readRecord(await placeOf(state, folder));
  return record?.folder === folder ? record : null;
}

/** Keeps what the user trusts of a folder, in the place of what was kept. Needs `write`. */
export async function keepTrust(state: string, record: TrustRecord): Promise<void> {
  const path = await placeOf(state, record.folder);
  const temporary = `${path}.${crypto.randomUUID()}`;
  try {
    await Deno.mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await Deno.writeTextFile(temporary, JSON.stringify({ v: 1, ...record }), {
      createNew: true,
      mode: 0o600,
    });
    await Deno.rename(temporary, path);
  } catch (error) {
    await Deno.remove(temporary).catch(() => {});
    throw systemError(error, "write", dirname(path));
  }
}

/**
 * Forgets what the user trusts of a folder. Needs `write`.
 *
 * @returns Whether there was anything
 */
export async function removeTrust(state: string, folder: string): Promise<boolean> {
  const path = await placeOf(state, folder);
  try {
    await Deno.remove(path);
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw systemError(error, "remove", path);
  }
}

/** Lists all that the user trusts, by folder. Needs `read`. */
export function listTrust(state: string): TrustRecord[] {
  const folder = join(state, "trust");
  const names = namesIn(folder).filter((name) => name.endsWith(".json"));
  const records = names.map((name) => readRecord(join(folder, name)));
  return records.filter((record) => record !== null).sort((a, b) => a.folder < b.folder ? -1 : 1);
}

/** Returns the SHA-256 of what a part says, in hexadecimal digits. */
export async function hashOfPart(content: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(content));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** A path may be longer than a name can be. */
async function placeOf(state: string, folder: string): Promise<string> {
  return join(state, "trust", `${await hashOfPart(folder)}.json`);
}

function readRecord(path: string): TrustRecord | null {
  let kept: unknown;
  try {
    kept = JSON.parse(readNamedText(path));
  } catch {
    return null;
  }
  if (!isObject(kept) || kept.v !== 1) return null;
  const { folder, since, parts } = kept;
  if (typeof folder !== "string" || typeof since !== "string" || !isObject(parts)) return null;
  if (Object.values(parts).some((hash) => typeof hash !== "string")) return null;
  return { folder, since, parts: parts as Record<string, string> };
}
