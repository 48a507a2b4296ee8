import { type Abi, ABIS, MISSING } from "./call_numbers.ts";

// What namespaces do not cut off, and what widens the kernel's surface for programs that need none of it: looking
// into other processes, the user's kernel keys, the host of a virtual machine behind a vsock, mounts, and their like.

const AF_UNIX = 1;
/** Of both versions. */
const INTERNET = [2, 10];
const AF_NETLINK = 16;
const NETLINK_ROUTE = 0;
/** Of a socket's type, without its flags. */
const TYPE_BITS = 0xf;
const STREAM = 1;
const SEQPACKET = 5;
/** A flag of what is sent: opens the connection with it. */
const MSG_FASTOPEN = 0x20000000;
/** That of the family, which is TCP, and TCP itself. Others of this type are none to Landlock. */
const TCP_PROTOCOLS = [0, 6];
/** Harmless: Linux, 32 bits, an older number of version, each of both, and the question. */
const PERSONALITIES = [0, 0x8, 0x20000, 0x20008, 0xffffffff];
/** Typing into a terminal, and its selection. */
const IOCTLS = { TIOCSTI: 0x5412, TIOCLINUX: 0x541c };
/** A new namespace of any kind. */
const CLONE_NEW = 0x7e020000;
const CLONE_NEWTIME = 0x80;

/** Offsets of what a filter sees of a call. */
const SEEN = { number: 0, arch: 4, arguments: 16 };
const LOAD = 0x20;
const IF_EQUAL = 0x15;
const IF_AT_LEAST = 0x35;
const IF_ANY_BIT = 0x45;
const AND = 0x54;
const RETURN = 0x06;
const ALLOW = 0x7fff0000;
const FAIL = 0x00050000;

/** How a part of the filter ends. */
const ENDS = {
  allow: ALLOW,
  pretended: FAIL,
  notPermitted: FAIL | 1,
  noSuchCall: FAIL | 38,
  noSuchProtocol: FAIL | 93,
  notSupported: FAIL | 95,
  noSuchFamily: FAIL | 97,
} as const;
/** Where a step goes on: an end, or this many steps further. */
type Next = keyof typeof ENDS | number;
type Step = readonly [code: number, ifTrue: Next, ifFalse: Next, value: number];
type Instruction = readonly [code: number, ifTrue: number, ifFalse: number, value: number];

/** What a filter lets through. */
export interface FilterOptions {
  /**
   * Sockets that have a path. A filter sees no paths: a socket that another program makes later cannot be told from the
   * program's own. @default true
   */
  local?: boolean;
  /**
   * Sockets of the internet. In a network of its own a program may have all of them, and ask for its devices; without one
   * `tcp` leaves what Landlock can bound. @default "all"
   */
  internet?: "all" | "tcp" | "none";
  /** Makes up for what a wall without namespaces does not hold, see `namespacesHold`. @default false */
  bare?: boolean;
  /** Changing modes, owners, times and attributes of files, which no such wall holds. @default true */
  attributes?: boolean;
}

/** Returns the filter of system calls for programs behind walls, as the kernel takes it; `null` for other processors. */
export function callFilter(arch: string, options: FilterOptions = {}): Uint8Array | null {
  const abis = ABIS[arch];
  if (abis === undefined) return null;
  const program = [
    load(SEEN.arch),
    ...abis.flatMap((abi) => {
      const part = filterOf(abi, options);
      return [[IF_EQUAL, 0, part.length, abi.arch] as const, ...part];
    }),
    [RETURN, 0, 0, ENDS.notPermitted] as const,
  ];
  return encode(program);
}

function filterOf(abi: Abi, options: FilterOptions): Instruction[] {
  const { judged, fallocate, socketpair, last } = abi;
  const { bare = false, attributes = true, internet = "all" } = options;
  const refused = [
    ...abi.refused,
    ...bare ? abi.bare.namespacesHold : [],
    ...bare && internet !== "all" ? [abi.bare.listen] : [],
    ...attributes ? [] : abi.bare.attributes,
  ];
  const steps: Step[] = [
    load(SEEN.number),
    ...(last === undefined ? [] : [[IF_AT_LEAST, "noSuchCall", 0, last] as const]),
    ...refused.map((number) => [IF_EQUAL, "notPermitted", 0, number] as const),
    ...Object.values(MISSING).map((number) => [IF_EQUAL, "noSuchCall", 0, number] as const),
    [IF_EQUAL, "notSupported", 0, fallocate],
    // Without a namespace of processes, what a program started is found by its session, which nothing leaves. Programs that make
    // one go on without it.
    ...(bare ? [[IF_EQUAL, "pretended", 0, abi.bare.setsid] as const] : []),
    ...(bare ? abi.bare.ofOthers : []).flatMap(([number, ...own]) =>
      of(number, [
        ...own.flatMap(([at, value]): Step[] => [argument(at), [IF_EQUAL, 0, "notPermitted", value]]),
        end("allow"),
      ])
    ),
    ...(bare && internet === "tcp" ? abi.bare.sends : []).flatMap(([number, flags]) =>
      of(number, [argument(flags), [IF_ANY_BIT, "notSupported", "allow", MSG_FASTOPEN]])
    ),
    ...of(judged.clone, [argument(0), [IF_ANY_BIT, "notPermitted", "allow", CLONE_NEW]]),
    ...of(judged.unshare, [argument(0), [IF_ANY_BIT, "notPermitted", "allow", CLONE_NEW | CLONE_NEWTIME]]),
    ...of(judged.ioctl, [argument(1), ...among(Object.values(IOCTLS), "notPermitted"), end("allow")]),
    ...of(judged.personality, [argument(0), ...among(PERSONALITIES, "allow"), end("notPermitted")]),
    ...of(socketpair, pairSteps(options)),
    ...of(abi.socket, socketSteps(options)),
    end("allow"),
  ];
  return assemble(steps);
}

/** A pair of datagrams can be sent to any socket with a path. */
function pairSteps({ local = true }: FilterOptions): Step[] {
  if (local) return [argument(0), [IF_EQUAL, "allow", "noSuchFamily", AF_UNIX]];
  return [
    argument(0),
    [IF_EQUAL, 0, "noSuchFamily", AF_UNIX],
    argument(1),
    [AND, 0, 0, TYPE_BITS],
    ...among([STREAM, SEQPACKET], "allow"),
    end("notSupported"),
  ];
}

function socketSteps({ local = true, internet = "all" }: FilterOptions): Step[] {
  const families = [...local ? [AF_UNIX] : [], ...internet === "all" ? INTERNET : []];
  const start = [argument(0), ...among(families, "allow")];
  switch (internet) {
    case "none":
      return [...start, end("noSuchFamily")];
    case "tcp":
      return [
        ...start,
        [IF_EQUAL, 1, 0, INTERNET[0]!],
        [IF_EQUAL, 0, "noSuchFamily", INTERNET[1]!],
        argument(1),
        [AND, 0, 0, TYPE_BITS],
        [IF_EQUAL, 0, "noSuchProtocol", STREAM],
        argument(2),
        ...among(TCP_PROTOCOLS, "allow"),
        end("noSuchProtocol"),
      ];
    case "all":
      return [
        ...start,
        [IF_EQUAL, 0, "noSuchFamily", AF_NETLINK],
        argument(2),
        [IF_EQUAL, "allow", "noSuchProtocol", NETLINK_ROUTE],
      ];
  }
}

/** The steps for one call; any other one goes on behind them. */
function of(number: number, steps: readonly Step[]): Step[] {
  return [[IF_EQUAL, 0, steps.length, number], ...steps];
}

function among(values: readonly number[], next: Next): Step[] {
  return values.map((value) => [IF_EQUAL, next, 0, value]);
}

/** What a call does with a whole number is decided by its lower half alone. */
function argument(index: number): Step {
  return load(SEEN.arguments + 8 * index);
}

function load(offset: number): Instruction {
  return [LOAD, 0, 0, offset];
}

function end(next: keyof typeof ENDS): Step {
  return [RETURN, 0, 0, ENDS[next]];
}

/** Puts the ends behind the steps, and says how far each step jumps. */
function assemble(steps: readonly Step[]): Instruction[] {
  const names = Object.keys(ENDS);
  const distance = (at: number, next: Next) =>
    typeof next === "number" ? next : steps.length + names.indexOf(next) - at - 1;
  return [
    ...steps.map(([code, ifTrue, ifFalse, value], at) =>
      [code, distance(at, ifTrue), distance(at, ifFalse), value] as const
    ),
    ...Object.values(ENDS).map((value) => [RETURN, 0, 0, value] as const),
  ];
}

function encode(program: readonly Instruction[]): Uint8Array {
  const bytes = new Uint8Array(8 * program.length);
  const view = new DataView(bytes.buffer);
  for (const [at, [code, ifTrue, ifFalse, value]] of program.entries()) {
    if (Math.max(ifTrue, ifFalse) > 255) throw new RangeError("A filter cannot jump that far");
    view.setUint16(8 * at, code, true);
    view.setUint8(8 * at + 2, ifTrue);
    view.setUint8(8 * at + 3, ifFalse);
    view.setUint32(8 * at + 4, value, true);
  }
  return bytes;
}
