import { chmodUnnamed, isUnnamed, type KnownEntry } from "../bytes/odd_change.ts";
import { expectInPlace } from "./expect_in_place.ts";

/**
 * Changes the mode of a file or a folder in a tree that programs change at the same time: of this one alone, also if the
 * folders above it have changed. Needs `read` and `write`, and `run` for a name that is no UTF-8.
 *
 * @param bits To add (`more`), and to take away (`less`)
 * @returns Whether that changes anything
 * @throws {Error} If it cannot be changed, or another one has taken its place
 */
export async function changeMode(
  entry: KnownEntry,
  { more = 0, less = 0 }: { more?: number; less?: number },
): Promise<boolean> {
  const { path, info } = entry;
  const change = (mode: number) => (mode | more) & ~less & 0o7777;
  const before = (info.mode ?? 0) & 0o7777;
  if (change(before) === before) return false;
  if (isUnnamed(path)) {
    await chmodUnnamed(entry, { more, less });
    return true;
  }
  expectInPlace(entry);
  Deno.chmodSync(path, change(Deno.lstatSync(path).mode ?? 0));
  return true;
}
