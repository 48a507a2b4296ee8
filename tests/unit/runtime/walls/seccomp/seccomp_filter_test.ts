import { assert, assertEquals } from "@std/assert";

import { callFilter, type FilterOptions } from "../../../../../runtime/walls/seccomp/seccomp_filter.ts";

const X86_64 = 0xc000003e;
const I386 = 0x40000003;
const AARCH64 = 0xc00000b7;
const ARM = 0x40000028;
const ALLOWED = "allowed";

/** Runs a filter as the kernel does, and says what becomes of a call. */
function decide(
  machine: string,
  arch: number,
  number: number,
  args: readonly number[] = [],
  options: FilterOptions = {},
): string {
  const bytes = callFilter(machine, options);
  assert(bytes !== null);
  const program = new DataView(bytes.buffer);
  const seen = (offset: number) =>
    offset === 0 ? number : offset === 4 ? arch : (args[(offset - 16) / 8] ?? 0) >>> 0;
  let value = 0;
  for (let at = 0;; at++) {
    const code = program.getUint16(8 * at, true);
    const operand = program.getUint32(8 * at + 4, true);
    const jump = (isTrue: boolean) => at += program.getUint8(8 * at + (isTrue ? 2 : 3));
    if (code === 0x20) value = seen(operand);
    else if (code === 0x15) jump(value === operand);
    else if (code === 0x35) jump(value >= operand);
    else if (code === 0x54) value &= operand;
    else if (code === 0x45) jump((value & operand) !== 0);
    else if (code === 0x06) return operand === 0x7fff0000 ? ALLOWED : `error ${operand & 0xffff}`;
    else throw new Error(`unknown instruction ${code}`);
  }
}

Deno.test("calls that look into other processes are refused on every processor", () => {
  const numbers = [
    ["x86_64", X86_64, [101, 310, 311, 438, 312, 298, 323, 300, 321, 154, 248, 249, 250, 165, 308, 304]],
    ["x86_64", I386, [26, 347, 348, 438, 349, 336, 374, 338, 357, 123, 286, 287, 288, 21, 346, 342, 102]],
    ["aarch64", AARCH64, [117, 270, 271, 438, 272, 241, 282, 262, 280, 217, 218, 219, 40, 268, 265]],
    ["aarch64", ARM, [26, 376, 377, 438, 378, 364, 388, 367, 386, 309, 310, 311, 21, 375, 371]],
  ] as const;
  for (const [machine, arch, refused] of numbers) {
    for (const number of refused) assertEquals(decide(machine, arch, number), "error 1", `${arch} ${number}`);
    for (const number of [425, 426, 427, 435, 447]) {
      assertEquals(decide(machine, arch, number), "error 38", `${arch} ${number}`);
    }
    const fallocate = { [X86_64]: 285, [I386]: 324, [AARCH64]: 47, [ARM]: 352 }[arch]!;
    assertEquals(decide(machine, arch, fallocate), "error 95");
    for (const number of [428, 430, 432, 442]) assertEquals(decide(machine, arch, number), "error 1");
    // Reading, writing, starting and waiting go on.
    for (const number of [3, 63, 57, 59, 61, 64]) assertEquals(decide(machine, arch, number), ALLOWED);
  }
});

Deno.test("a box makes sockets of this machine and of the internet, and asks the kernel for routes", () => {
  for (
    const [machine, arch, socket, pair] of [
      ["x86_64", X86_64, 41, 53],
      ["x86_64", I386, 359, 360],
      ["aarch64", AARCH64, 198, 199],
      ["aarch64", ARM, 281, 288],
    ] as const
  ) {
    assertEquals(decide(machine, arch, pair, [1, 1, 0]), ALLOWED);
    assertEquals(decide(machine, arch, pair, [30, 1, 0]), "error 97");
    assertEquals(decide(machine, arch, pair, [1, 1, 0], { local: false }), ALLOWED);
    assertEquals(decide(machine, arch, socket, [1, 1, 0], { local: false }), "error 97");
    assertEquals(decide(machine, arch, socket, [2, 1, 0], { local: false }), ALLOWED);
    for (const family of [1, 2, 10]) assertEquals(decide(machine, arch, socket, [family, 1, 0]), ALLOWED);
    assertEquals(decide(machine, arch, socket, [16, 3, 0]), ALLOWED);
    assertEquals(decide(machine, arch, socket, [16, 3, 9]), "error 93");
    for (const family of [0, 3, 17, 29, 38, 40, 44]) {
      assertEquals(decide(machine, arch, socket, [family, 1, 0]), "error 97", String(family));
    }
  }
});

Deno.test("namespaces, other personalities and typing into a terminal are told by the arguments", () => {
  for (
    const [machine, arch, { clone, unshare, personality, ioctl }] of [
      ["x86_64", X86_64, { clone: 56, unshare: 272, personality: 135, ioctl: 16 }],
      ["x86_64", I386, { clone: 120, unshare: 310, personality: 136, ioctl: 54 }],
      ["aarch64", AARCH64, { clone: 220, unshare: 97, personality: 92, ioctl: 29 }],
      ["aarch64", ARM, { clone: 120, unshare: 337, personality: 136, ioctl: 54 }],
    ] as const
  ) {
    for (const flag of [0x20000, 0x2000000, 0x10000000, 0x20000000, 0x40000000]) {
      assertEquals(decide(machine, arch, clone, [flag | 17]), "error 1");
      assertEquals(decide(machine, arch, unshare, [flag]), "error 1");
    }
    // A thread, and a process whose end is told by a signal.
    assertEquals(decide(machine, arch, clone, [0x3d0f00]), ALLOWED);
    assertEquals(decide(machine, arch, clone, [0x4100 | 17]), ALLOWED);
    assertEquals(decide(machine, arch, unshare, [0x200]), ALLOWED);
    assertEquals(decide(machine, arch, unshare, [0x80]), "error 1");
    for (const harmless of [0, 8, 0xffffffff]) {
      assertEquals(decide(machine, arch, personality, [harmless]), ALLOWED);
    }
    assertEquals(decide(machine, arch, personality, [0x40000]), "error 1");
    for (const [request, becomes] of [[0x5412, "error 1"], [0x541c, "error 1"], [0x5401, ALLOWED]] as const) {
      assertEquals(decide(machine, arch, ioctl, [0, request]), becomes);
    }
  }
});

Deno.test("programs for other processors, and the table of half-width pointers, are refused", () => {
  assertEquals(decide("x86_64", AARCH64, 63), "error 1");
  assertEquals(decide("x86_64", X86_64, 0x40000000 + 101), "error 38");
  assertEquals(callFilter("riscv64"), null);
});

Deno.test("behind Landlock only TCP is left of the internet, or nothing, and what namespaces would hold is refused", () => {
  const machines = [
    {
      of: ["x86_64", X86_64],
      socket: 41,
      listen: 50,
      setsid: 112,
      bounds: 302,
      truncate: 76,
      shared: [29, 64, 68],
      chmod: [90, 268, 91],
    },
    {
      of: ["x86_64", I386],
      socket: 359,
      listen: 363,
      setsid: 66,
      bounds: 340,
      truncate: 92,
      shared: [395, 393, 399],
      chmod: [15, 306],
    },
    {
      of: ["aarch64", AARCH64],
      socket: 198,
      listen: 201,
      setsid: 157,
      bounds: 261,
      truncate: 45,
      shared: [194, 190, 186],
      chmod: [53, 52],
    },
    {
      of: ["aarch64", ARM],
      socket: 281,
      listen: 284,
      setsid: 66,
      bounds: 369,
      truncate: 92,
      shared: [307, 299, 303],
      chmod: [15, 333],
    },
  ] as const;
  for (const { of: [machine, arch], socket, listen, setsid, bounds, truncate, shared, chmod } of machines) {
    const ask = (number: number, args: number[] = [], options: FilterOptions = {}) =>
      decide(machine, arch, number, args, { bare: true, local: false, internet: "tcp", ...options });
    for (const family of [2, 10]) {
      for (const protocol of [0, 6]) assertEquals(ask(socket, [family, 0x80801, protocol]), ALLOWED);
      for (const protocol of [132, 262]) assertEquals(ask(socket, [family, 1, protocol]), "error 93");
      for (const type of [2, 3, 5, 10]) assertEquals(ask(socket, [family, type, 0]), "error 93");
      assertEquals(ask(socket, [family, 1, 0], { internet: "none" }), "error 97");
    }
    for (const family of [1, 16, 17, 38, 40]) assertEquals(ask(socket, [family, 1, 0]), "error 97");
    assertEquals([ask(bounds, [0]), ask(bounds, [1]), decide(machine, arch, bounds, [1])], [
      ALLOWED,
      "error 1",
      ALLOWED,
    ]);
    assertEquals([ask(setsid), decide(machine, arch, setsid)], ["error 0", ALLOWED]);
    assertEquals(ask(socket, [1, 1, 0], { local: true, internet: "none" }), ALLOWED);
    for (const number of [truncate, listen, ...shared]) {
      assertEquals(ask(number), "error 1", `${arch} ${number}`);
    }
    for (const number of [...chmod, 452]) {
      assertEquals([ask(number), ask(number, [], { attributes: false })], [ALLOWED, "error 1"]);
    }
    for (const number of [truncate, listen, ...shared]) assertEquals(decide(machine, arch, number), ALLOWED);
  }
});

Deno.test("a wall without namespaces refuses what they would hold, on every processor", () => {
  const rows = [
    ["x86_64", X86_64, {
      sends: [[44, 3], [46, 2], [307, 3]],
      pair: 53,
      shared: [29, 30, 64, 66, 68, 70, 220],
      nice: 141,
    }],
    ["x86_64", I386, {
      sends: [[369, 3], [370, 2], [345, 3]],
      pair: 360,
      shared: [395, 397, 394, 401],
      nice: 97,
    }],
    ["aarch64", AARCH64, {
      sends: [[206, 3], [211, 2], [269, 3]],
      pair: 199,
      shared: [194, 196, 191, 188],
      nice: 140,
    }],
    ["aarch64", ARM, {
      sends: [[290, 3], [296, 2], [374, 3]],
      pair: 288,
      shared: [307, 305, 300, 302],
      nice: 97,
    }],
  ] as const;
  const bare = { bare: true, local: false, internet: "tcp" } as const;
  for (const [machine, arch, { sends, pair, shared, nice }] of rows) {
    const judge = (number: number, ...args: number[]) => decide(machine, arch, number, args, bare);
    // A connection that is opened by what is sent passes Landlock.
    for (const [number, flags] of sends) {
      const args = (value: number) => [...Array(flags).fill(0), value];
      assertEquals([judge(number, ...args(0x20000000)), judge(number, ...args(0x4000))], [
        "error 95",
        ALLOWED,
      ]);
    }
    // A pair of datagrams can be sent to the sockets of others.
    assertEquals([1, 5, 0x80001, 2, 0x80002].map((type) => judge(pair, 1, type)), [
      ...[ALLOWED, ALLOWED, ALLOWED],
      ...["error 95", "error 95"],
    ]);
    for (const number of shared) {
      assertEquals([judge(number), decide(machine, arch, number)], ["error 1", ALLOWED]);
    }
    // Of its own process, and of no other, group or user.
    assertEquals([judge(nice, 0, 0), judge(nice, 0, 7), judge(nice, 2, 0)], [ALLOWED, "error 1", "error 1"]);
  }
});
