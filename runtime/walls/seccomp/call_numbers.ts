/** A kind of processor that programs of a box may be built for, with its numbers of system calls. */
export interface Abi {
  /** The kernel's name for it. */
  arch: number;
  /** The calls that a box refuses, whatever their arguments. */
  refused: readonly number[];
  /** The calls that a box refuses for some of their arguments. */
  judged: Readonly<Record<ArgumentCall, number>>;
  /** Takes room on a disk at once, without writing. Programs write instead. */
  fallocate: number;
  socket: number;
  socketpair: number;
  /** What a wall without namespaces of its own decides besides. */
  bare: BareCalls;
  /** Numbers from here on belong to another table. */
  last?: number;
}

/** Calls that matter where programs share the namespaces of all. */
export interface BareCalls {
  listen: number;
  setsid: number;
  /** Calls that change bounds and priorities of processes, and what their arguments are where only the caller is meant. */
  ofOthers:
    readonly (readonly [number: number, ...own: readonly (readonly [argument: number, value: number])[]])[];
  /** Calls that send, and which argument holds their flags: one of them connects as well, past Landlock. */
  sends: readonly (readonly [number: number, flags: number])[];
  /**
   * What a wall without namespaces of its own refuses besides: memory and queues that all processes of a user share, and
   * truncating a file by its path, which older kernels' Landlock does not hold.
   */
  namespacesHold: readonly number[];
  /** Calls that change modes, owners, times and attributes of files. */
  attributes: readonly number[];
}

/** A call whose arguments decide. */
export type ArgumentCall = "clone" | "ioctl" | "personality" | "unshare";

/** Newer calls have one number everywhere. A program that does not find one of these does without. */
export const MISSING: Readonly<Record<string, number>> = {
  io_uring_setup: 425,
  io_uring_enter: 426,
  io_uring_register: 427,
  // A filter cannot see its flags. The C library takes `clone` instead.
  clone3: 435,
  memfd_secret: 447,
};

/** Newer calls that are refused. */
const NEW: Readonly<Record<string, number>> = {
  open_tree: 428,
  move_mount: 429,
  fsopen: 430,
  fsconfig: 431,
  fsmount: 432,
  fspick: 433,
  mount_setattr: 442,
  open_tree_attr: 467,
  pidfd_getfd: 438,
  quotactl_fd: 443,
  set_mempolicy_home_node: 450,
};

/** fchmodat2, setxattrat, removexattrat, file_setattr: of all processors. */
const NEW_ATTRIBUTES = [452, 463, 466, 469];

const X86_64: Readonly<Record<string, number>> = {
  ...{ ptrace: 101, process_vm_readv: 310, process_vm_writev: 311, kcmp: 312 },
  ...{ add_key: 248, request_key: 249, keyctl: 250 },
  ...{ perf_event_open: 298, userfaultfd: 323, fanotify_init: 300, modify_ldt: 154, bpf: 321, syslog: 103 },
  ...{ mount: 165, umount2: 166, pivot_root: 155, setns: 308, acct: 163, swapon: 167, swapoff: 168 },
  ...{ name_to_handle_at: 303, open_by_handle_at: 304, quotactl: 179, nfsservctl: 180, lookup_dcookie: 212 },
  ...{ kexec_load: 246, kexec_file_load: 320, reboot: 169, init_module: 175, finit_module: 313 },
  ...{
    delete_module: 176,
    create_module: 174,
    get_kernel_syms: 177,
    query_module: 178,
    uselib: 134,
    sysctl: 156,
  },
  ...{ settimeofday: 164, clock_settime: 227, clock_adjtime: 305, iopl: 172, ioperm: 173 },
  ...{ mbind: 237, set_mempolicy: 238, migrate_pages: 256, move_pages: 279 },
};

const I386: Readonly<Record<string, number>> = {
  ...{ ptrace: 26, process_vm_readv: 347, process_vm_writev: 348, kcmp: 349 },
  ...{ add_key: 286, request_key: 287, keyctl: 288 },
  ...{ perf_event_open: 336, userfaultfd: 374, fanotify_init: 338, modify_ldt: 123, bpf: 357, syslog: 103 },
  ...{ mount: 21, umount: 22, umount2: 52, pivot_root: 217, setns: 346, acct: 51, swapon: 87, swapoff: 115 },
  ...{ name_to_handle_at: 341, open_by_handle_at: 342, quotactl: 131, nfsservctl: 169, lookup_dcookie: 253 },
  ...{ kexec_load: 283, reboot: 88, init_module: 128, finit_module: 350 },
  ...{
    delete_module: 129,
    create_module: 127,
    get_kernel_syms: 130,
    query_module: 167,
    uselib: 86,
    sysctl: 149,
  },
  ...{ settimeofday: 79, stime: 25, clock_settime: 264, clock_settime64: 404 },
  ...{ clock_adjtime: 343, clock_adjtime64: 405, iopl: 110, ioperm: 101, vm86old: 113, vm86: 166 },
  ...{ mbind: 274, set_mempolicy: 276, migrate_pages: 294, move_pages: 317 },
  // Stands for all calls about sockets. A filter cannot see their arguments.
  socketcall: 102,
};

const AARCH64: Readonly<Record<string, number>> = {
  ...{ ptrace: 117, process_vm_readv: 270, process_vm_writev: 271, kcmp: 272 },
  ...{ add_key: 217, request_key: 218, keyctl: 219 },
  ...{ perf_event_open: 241, userfaultfd: 282, fanotify_init: 262, bpf: 280, syslog: 116 },
  ...{ mount: 40, umount2: 39, pivot_root: 41, setns: 268, acct: 89, swapon: 224, swapoff: 225 },
  ...{ name_to_handle_at: 264, open_by_handle_at: 265, quotactl: 60, nfsservctl: 42, lookup_dcookie: 18 },
  ...{ kexec_load: 104, kexec_file_load: 294, reboot: 142, init_module: 105, finit_module: 273 },
  ...{ delete_module: 106, settimeofday: 170, clock_settime: 112, clock_adjtime: 266 },
  ...{ mbind: 235, set_mempolicy: 237, migrate_pages: 238, move_pages: 239 },
};

const ARM: Readonly<Record<string, number>> = {
  ...{ ptrace: 26, process_vm_readv: 376, process_vm_writev: 377, kcmp: 378 },
  ...{ add_key: 309, request_key: 310, keyctl: 311 },
  ...{ perf_event_open: 364, userfaultfd: 388, fanotify_init: 367, bpf: 386, syslog: 103 },
  ...{ mount: 21, umount2: 52, pivot_root: 218, setns: 375, acct: 51, swapon: 87, swapoff: 115 },
  ...{ name_to_handle_at: 370, open_by_handle_at: 371, quotactl: 131, nfsservctl: 169, lookup_dcookie: 249 },
  ...{ kexec_load: 347, kexec_file_load: 401, reboot: 88, init_module: 128, finit_module: 379 },
  ...{ delete_module: 129, uselib: 86, sysctl: 149, settimeofday: 79, clock_settime: 262 },
  ...{ clock_settime64: 404, clock_adjtime: 372, clock_adjtime64: 405 },
  ...{ mbind: 319, set_mempolicy: 321, migrate_pages: 400, move_pages: 344 },
};

/** The kinds of programs that run on each of Deno's processors. */
export const ABIS: Readonly<Record<string, readonly Abi[]>> = {
  x86_64: [
    {
      arch: 0xc000003e,
      refused: [...Object.values(X86_64), ...Object.values(NEW)],
      judged: { clone: 56, ioctl: 16, personality: 135, unshare: 272 },
      fallocate: 285,
      socket: 41,
      socketpair: 53,
      bare: {
        listen: 50,
        setsid: 112,
        ofOthers: [[302, [0, 0]], [141, [0, 0], [1, 0]], [251, [0, 1], [1, 0]]],
        sends: [[44, 3], [46, 2], [307, 3]],
        namespacesHold: [76, 29, 30, 31, 64, 65, 66, 68, 69, 70, 71, 220],
        attributes: [
          91,
          93,
          190,
          199,
          90,
          268,
          92,
          94,
          260,
          132,
          235,
          261,
          280,
          188,
          189,
          197,
          198,
          ...NEW_ATTRIBUTES,
        ],
      },
      last: 0x40000000,
    },
    {
      arch: 0x40000003,
      refused: [...Object.values(I386), ...Object.values(NEW)],
      judged: { clone: 120, ioctl: 54, personality: 136, unshare: 310 },
      fallocate: 324,
      socket: 359,
      socketpair: 360,
      bare: {
        listen: 363,
        setsid: 66,
        ofOthers: [[340, [0, 0]], [97, [0, 0], [1, 0]], [289, [0, 1], [1, 0]]],
        sends: [[369, 3], [370, 2], [345, 3]],
        namespacesHold: [92, 193, 117, 393, 394, 395, 396, 397, 399, 400, 401, 402, 420],
        attributes: [
          ...[
            15,
            306,
            182,
            212,
            16,
            198,
            298,
            30,
            271,
            299,
            320,
            412,
            226,
            227,
            235,
            236,
            94,
            95,
            207,
            228,
            237,
          ],
          ...NEW_ATTRIBUTES,
        ],
      },
    },
  ],
  aarch64: [
    {
      arch: 0xc00000b7,
      refused: [...Object.values(AARCH64), ...Object.values(NEW)],
      judged: { clone: 220, ioctl: 29, personality: 92, unshare: 97 },
      fallocate: 47,
      socket: 198,
      socketpair: 199,
      bare: {
        listen: 201,
        setsid: 157,
        ofOthers: [[261, [0, 0]], [140, [0, 0], [1, 0]], [30, [0, 1], [1, 0]]],
        sends: [[206, 3], [211, 2], [269, 3]],
        namespacesHold: [45, 186, 187, 188, 189, 190, 191, 192, 193, 194, 195, 196],
        attributes: [52, 55, 7, 16, 53, 54, 88, 5, 6, 14, 15, ...NEW_ATTRIBUTES],
      },
    },
    {
      arch: 0x40000028,
      refused: [...Object.values(ARM), ...Object.values(NEW)],
      judged: { clone: 120, ioctl: 54, personality: 136, unshare: 337 },
      fallocate: 352,
      socket: 281,
      socketpair: 288,
      bare: {
        listen: 284,
        setsid: 66,
        ofOthers: [[369, [0, 0]], [97, [0, 0], [1, 0]], [314, [0, 1], [1, 0]]],
        sends: [[290, 3], [296, 2], [374, 3]],
        namespacesHold: [92, 193, 117, 298, 299, 300, 301, 302, 303, 304, 305, 307, 308, 312, 420],
        attributes: [
          ...[
            15,
            333,
            182,
            212,
            16,
            198,
            325,
            30,
            269,
            326,
            348,
            412,
            226,
            227,
            235,
            236,
            94,
            95,
            207,
            228,
            237,
          ],
          ...NEW_ATTRIBUTES,
        ],
      },
    },
  ],
};
