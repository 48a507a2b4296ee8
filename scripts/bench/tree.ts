import { join } from "@std/path";

/** Size of the generated tree: text files, and bytes in all. */
export const TREE_FILES = 30_000;
const FILES_PER_FOLDER = 50;
const AVERAGE_LINES = 270;

const WORDS =
  ("function return const value result error message import export default string number boolean async await " +
    "promise resolve reject stream buffer index length count total first second third table column row field record " +
    "query update delete insert select where order group limit offset cursor session token user account profile " +
    "setting option flag level debug trace warning critical server client request response header body status code")
    .split(" ");
const ENDINGS = [".ts", ".js", ".md", ".txt", ".json"];

/** Makes the tree of text files that searches are measured on; the same bytes every time. Returns its size in bytes. */
export function makeTree(root: string): number {
  const random = linear(42);
  const pick = () => WORDS[Math.floor(random() * WORDS.length)]!;
  const line = () => Array.from({ length: 4 + Math.floor(random() * 8) }, pick).join(" ");
  const pool = Array.from({ length: 4_000 }, line);
  const encoder = new TextEncoder();
  let bytes = 0;
  for (let file = 0; file < TREE_FILES; file++) {
    const folder = join(root, `d${Math.floor(file / 2_500)}`, `s${Math.floor(file / FILES_PER_FOLDER)}`);
    if (file % FILES_PER_FOLDER === 0) Deno.mkdirSync(folder, { recursive: true });
    const lines = Array.from(
      { length: AVERAGE_LINES / 2 + Math.floor(random() * AVERAGE_LINES) },
      () => pool[Math.floor(random() * pool.length)]!,
    );
    if (file % 97 === 0) lines[lines.length >> 1] = `rare needle${file} in the hay`;
    const content = encoder.encode(`${lines.join("\n")}\n`);
    bytes += content.length;
    Deno.writeFileSync(join(folder, `f${file}${ENDINGS[file % ENDINGS.length]}`), content);
  }
  return bytes;
}

/** Writes a text file of about one gigabyte, 80 bytes a line; returns its number of lines. */
export function makeHugeFile(path: string): number {
  const block = `${"x".repeat(79)}\n`.repeat(12_800);
  const bytes = new TextEncoder().encode(block);
  using file = Deno.openSync(path, { write: true, create: true, truncate: true });
  const blocks = 1_000;
  for (let n = 0; n < blocks; n++) {
    for (let at = 0; at < bytes.length;) at += file.writeSync(bytes.subarray(at));
  }
  return blocks * 12_800;
}

/** A linear congruential generator: numbers from 0 to below 1, the same for the same seed. */
function linear(seed: number): () => number {
  let state = seed;
  return () => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32;
}
