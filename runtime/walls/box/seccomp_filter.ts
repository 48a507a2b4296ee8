// Namespaces do not cut off two things: the user's kernel keys, which come with the session, and the host of
// a virtual machine, which a vsock socket reaches without a network. This filter of system calls does.

/** A kind of processor that programs of a box may be built for, with its numbers of system calls. */
interface Abi {
  /** The kernel's name for it. */
  arch: number;
  /** The refused calls: those about kernel keys, and one that makes other calls unseen. */
  refused: readonly number[];
  socket: number;
  /** Numbers from here on belong to another table. */
  last?: number;
}

const IO_URING_SETUP = 425;
const ABIS: Readonly<Record<string, readonly Abi[]>> = {
  x86_64: [
    { arch: 0xc000003e, refused: [248, 249, 250, IO_URING_SETUP], socket: 41, last: 0x40000000 },
    // Here, 102 stands for all calls about sockets. A filter cannot see their arguments.
    { arch: 0x40000003, refused: [286, 287, 288, IO_URING_SETUP, 102], socket: 359 },
  ],
  aarch64: [
    { arch: 0xc00000b7, refused: [217, 218, 219, IO_URING_SETUP], socket: 198 },
    { arch: 0x40000028, refused: [309, 310, 311, IO_URING_SETUP], socket: 281 },
  ],
};
const AF_VSOCK = 40;

/** Offsets of what a filter sees of a call. */
const SEEN = { number: 0, arch: 4, firstArgument: 16 };
const LOAD = 0x20;
const IF_EQUAL = 0x15;
const IF_AT_LEAST = 0x35;
const RETURN = 0x06;
const ALLOW = 0x7fff0000;
const FAIL = 0x00050000;
const ERRORS = { notPermitted: 1, noSuchCall: 38, noSuchFamily: 97 };

type Instruction = readonly [code: number, ifTrue: number, ifFalse: number, value: number];

/** Returns the filter of system calls for programs in boxes, as bubblewrap takes it; `null` for other processors. */
export function callFilter(arch: string): Uint8Array | null {
  const abis = ABIS[arch];
  if (abis === undefined) return null;
  const program = [
    load(SEEN.arch),
    ...abis.flatMap((abi) => {
      const part = filterOf(abi);
      return [[IF_EQUAL, 0, part.length, abi.arch] as const, ...part];
    }),
    fail(ERRORS.notPermitted),
  ];
  return encode(program);
}

function filterOf({ refused, socket, last }: Abi): Instruction[] {
  return [
    load(SEEN.number),
    ...(last === undefined ? [] : [[IF_AT_LEAST, 0, 1, last] as const, fail(ERRORS.noSuchCall)]),
    ...refused.flatMap((number) => [[IF_EQUAL, 0, 1, number] as const, fail(errorOf(number))]),
    [IF_EQUAL, 0, 3, socket],
    load(SEEN.firstArgument),
    [IF_EQUAL, 0, 1, AF_VSOCK],
    fail(ERRORS.noSuchFamily),
    [RETURN, 0, 0, ALLOW],
  ];
}

/** Programs work without calls that an older kernel lacks. */
function errorOf(number: number): number {
  return number === IO_URING_SETUP ? ERRORS.noSuchCall : ERRORS.notPermitted;
}

function load(offset: number): Instruction {
  return [LOAD, 0, 0, offset];
}

function fail(error: number): Instruction {
  return [RETURN, 0, 0, FAIL | error];
}

function encode(program: readonly Instruction[]): Uint8Array {
  const bytes = new Uint8Array(8 * program.length);
  const view = new DataView(bytes.buffer);
  for (const [at, [code, ifTrue, ifFalse, value]] of program.entries()) {
    view.setUint16(8 * at, code, true);
    view.setUint8(8 * at + 2, ifTrue);
    view.setUint8(8 * at + 3, ifFalse);
    view.setUint32(8 * at + 4, value, true);
  }
  return bytes;
}
