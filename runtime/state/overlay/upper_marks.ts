import { ToolError } from "../../../schemas/error.ts";

/** What the kernel notes at an entry of the upper folder of an overlay. */
export interface UpperMarks {
  /** Of the folder below, nothing is seen. */
  opaque: boolean;
  /** It came from below. */
  copied: boolean;
}

const TAR = ["/usr/bin/tar", "/bin/tar"];
const BLOCK = 512;
/** No function of Deno reads extended attributes. An archive begins each entry with those that it has. */
const WORDS = ["--null", "--no-recursion", "--xattrs", "--xattrs-include=user.overlay.*", "--format=pax"];
const PREFIX = "SCHILY.xattr.user.overlay.";

/**
 * Reads what the kernel noted at entries. Needs `run`.
 *
 * @param paths Relative to the folder; none of them a socket
 * @throws {ToolError} `unavailable` if they cannot be read
 */
export async function readMarks(folder: string, paths: readonly string[]): Promise<Map<string, UpperMarks>> {
  if (paths.length === 0) return new Map();
  const child = startTar([...WORDS, "-C", folder, "-T", "-", "-cf", "-"]);
  const names = new TextEncoder().encode(paths.map((path) => `./${path}\0`).join(""));
  const writer = child.stdin.getWriter();
  const written = writer.write(names).then(() => writer.close()).catch(() => {
    // It has ended early, which its status tells.
  });
  const reading = new MarkReader();
  for await (const bytes of child.stdout) reading.push(bytes);
  await written;
  const { success } = await child.status;
  if (!success) {
    throw new ToolError("unavailable", `Cannot read what the kernel noted in "${folder}": tar failed`);
  }
  return reading.marks;
}

function startTar(args: readonly string[]) {
  for (const tar of TAR) {
    try {
      return new Deno.Command(tar, {
        ...{ args: [...args], clearEnv: true, env: { LC_ALL: "C" } },
        ...{ stdin: "piped", stdout: "piped", stderr: "null" },
      }).spawn();
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
    }
  }
  throw new ToolError("unavailable", "Cannot read what the kernel noted: install tar");
}

/** Reads the heads of an archive, and passes over all content. */
class MarkReader {
  readonly marks = new Map<string, UpperMarks>();
  #rest = new Uint8Array(0);
  /** Bytes of content to pass over. */
  #skip = 0;
  /** What the next entry has. */
  #records = new Map<string, string>();

  push(bytes: Uint8Array): void {
    const passed = this.#rest.length === 0 ? Math.min(this.#skip, bytes.length) : 0;
    this.#skip -= passed;
    const all = new Uint8Array(this.#rest.length + bytes.length - passed);
    all.set(this.#rest);
    all.set(bytes.subarray(passed), this.#rest.length);
    let at = 0;
    for (let next = this.#entry(all, at); next !== null; next = this.#entry(all, at)) at = next;
    this.#rest = all.slice(at);
  }

  /** Returns where the next entry begins; `null` if more must come first. */
  #entry(all: Uint8Array, at: number): number | null {
    if (this.#skip > 0) {
      const passed = Math.min(this.#skip, all.length - at);
      this.#skip -= passed;
      return passed === 0 ? null : at + passed;
    }
    if (all.length - at < BLOCK) return null;
    const head = all.subarray(at, at + BLOCK);
    const size = parseInt(text(head.subarray(124, 136)), 8) || 0;
    const length = Math.ceil(size / BLOCK) * BLOCK;
    const kind = String.fromCharCode(head[156]!);
    if (kind === "x") {
      if (all.length - at < BLOCK + length) return null;
      this.#records = recordsOf(all.subarray(at + BLOCK, at + BLOCK + size));
      return at + BLOCK + length;
    }
    if (head[0] !== 0) this.#note(head);
    this.#skip = length;
    return at + BLOCK;
  }

  #note(head: Uint8Array): void {
    const prefix = text(head.subarray(345, 500));
    const name = this.#records.get("path") ??
      (prefix === "" ? "" : `${prefix}/`) + text(head.subarray(0, 100));
    this.marks.set(name.replace(/^\.\/|\/$/g, ""), {
      opaque: this.#records.get(`${PREFIX}opaque`) === "y",
      copied: this.#records.has(`${PREFIX}origin`),
    });
    this.#records = new Map();
  }
}

function text(bytes: Uint8Array): string {
  const end = bytes.indexOf(0);
  return new TextDecoder().decode(end < 0 ? bytes : bytes.subarray(0, end));
}

/** Each is `length key=value` and the end of a line; the length counts bytes. */
function recordsOf(bytes: Uint8Array): Map<string, string> {
  const records = new Map<string, string>();
  for (let at = 0; at < bytes.length;) {
    const blank = bytes.indexOf(0x20, at);
    const length = parseInt(text(bytes.subarray(at, blank)), 10);
    if (blank < 0 || !(length > 0)) break;
    const record = new TextDecoder().decode(bytes.subarray(blank + 1, at + length - 1));
    const sign = record.indexOf("=");
    records.set(record.slice(0, sign), record.slice(sign + 1));
    at += length;
  }
  return records;
}
