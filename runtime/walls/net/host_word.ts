import { ToolError } from "../../../schemas/error.ts";
import { PUBLIC_HOSTS } from "../grants/policies.ts";
import {
  type Address,
  type AddressRange,
  isInRange,
  readAddress,
  readRange,
  startOfRange,
  writeAddress,
} from "./read_address.ts";
import { type NetHost, readHost } from "./read_host.ts";

/** A word of a list of hosts, read. */
export type HostWord = {
  text: string;
  /** The text without its ports. */
  hosts: string;
  /** `null` for all. */
  ports: readonly number[] | null;
} & HostPart;

/** The hosts that a word means; with ports it means only these of them. */
type HostPart =
  | { kind: "public" }
  | { kind: "name"; name: string }
  /** All hosts below a name, not the name itself. */
  | { kind: "below"; name: string }
  | { kind: "range"; range: AddressRange };

/**
 * Reads a word of a list of hosts: `public`, a host, `*.example.com`, an address, or a range such as `10.0.0.0/8`; all of
 * them also with a port or ports, such as `example.com:80,443` and `[::1]:80`.
 *
 * @throws {ToolError} `invalid_input` for any other word
 */
export function readHostWord(text: string): HostWord {
  const { hosts, ports } = splitPorts(text);
  return { text, hosts, ports, ...readPart(hosts, text) };
}

/**
 * Reads a word of a list of hosts that may be private: any but `public`.
 *
 * @throws {ToolError} `invalid_input` for any other word
 */
export function readPrivateWord(text: string): HostWord {
  const word = readHostWord(text);
  if (word.kind !== "public") return word;
  throw problem(text, "public hosts are no private ones; without a list all private ones are meant");
}

/** Returns what is wrong with a word of a list of hosts, `null` if nothing is. */
export function hostWordProblem(text: string, { isPrivate = false } = {}): string | null {
  try {
    if (isPrivate) readPrivateWord(text);
    else readHostWord(text);
    return null;
  } catch (error) {
    if (error instanceof ToolError) return error.message;
    throw error;
  }
}

/** Says whether a word means a host by its name, or by the address that it spells. `public` means all hosts. */
export function meansHost(word: HostWord, host: NetHost, port: number): boolean {
  if (!meansPort(word, port)) return false;
  if (word.kind === "public") return true;
  if (word.kind === "range") return host.address !== null && isInRange(host.address, word.range);
  if (host.address !== null) return false;
  return word.kind === "name" ? host.name === word.name : host.name.endsWith(`.${word.name}`);
}

/** Says whether a word means an address. `public` and names mean none. */
export function meansAddress(word: HostWord, address: Address, port: number): boolean {
  return word.kind === "range" && meansPort(word, port) && isInRange(address, word.range);
}

/** Says whether a word means a port of its hosts. */
export function meansPort({ ports }: HostWord, port: number): boolean {
  return ports === null || ports.includes(port);
}

/** Ports stand behind the only colon, or behind one after `]`. */
function splitPorts(text: string): { hosts: string; ports: number[] | null } {
  const bracket = text.lastIndexOf("]");
  const at = text.indexOf(":", bracket + 1);
  const isBareAddress = bracket < 0 && text.includes(":", at + 1);
  if (at < 0 || isBareAddress || text.includes("://")) return { hosts: text, ports: null };
  const listed = text.slice(at + 1).split(",");
  if (!listed.every((port) => /^[1-9]\d{0,4}$/.test(port) && Number(port) < 65536)) {
    throw problem(text, "a port is a number from 1 to 65535, and several have commas between them");
  }
  return { hosts: text.slice(0, at), ports: listed.map(Number) };
}

function readPart(host: string, text: string): HostPart {
  if (host === PUBLIC_HOSTS) return { kind: "public" };
  if (host === "") throw problem(text, "it names no host");
  if (host === "*") throw problem(text, `write "${PUBLIC_HOSTS}" for all public hosts`);
  if (text.includes("://")) throw problem(text, "write only the host of the URL, and its port if you like");
  if (/^\d+$/.test(host)) {
    throw problem(text, "a number is no host, write a port behind its host, as in host:443");
  }
  if (host.includes("/")) return { kind: "range", range: rangeOf(host, text) };
  const isBelow = host.startsWith("*.");
  const read = readHost(isBelow ? host.slice(2) : host);
  if (read?.address && !isBelow) return { kind: "range", range: oneAddress(read.address, host, text) };
  if (!read || read.address) {
    throw problem(text, "it is no host, write one as example.com, *.example.com, 192.0.2.1 or 10.0.0.0/8");
  }
  return { kind: isBelow ? "below" : "name", name: read.name };
}

function rangeOf(host: string, text: string): AddressRange {
  const range = readRange(host.replace(/^\[([^\]]*)\](.*)$/, "$1$2"));
  if (!range) {
    throw problem(text, "it is no range of addresses, write one as 10.0.0.0/8, fd00::/8 or [fd00::]/8:443");
  }
  const start = startOfRange(range);
  if (start.value === range.base.value) return range;
  throw problem(
    text,
    `its address is not the first of the range, write ${writeAddress(start)}/${range.length}`,
  );
}

/** A grant is read by people, so an address in it has no disguise. */
function oneAddress(base: Address, host: string, text: string): AddressRange {
  if (!readAddress(host.replace(/^\[|\]$/g, ""))) {
    throw problem(text, `write the address as ${writeAddress(base)}`);
  }
  return { base, length: base.family === 4 ? 32 : 128 };
}

function problem(text: string, why: string): ToolError {
  return new ToolError("invalid_input", `Cannot use "${text}" as a host: ${why}`, {
    details: { host: text },
  });
}
