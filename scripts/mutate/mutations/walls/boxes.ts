import type { Mutation } from "../../mutation.ts";

/** Of boxes and their filter of system calls. */
export const BOXES: readonly Mutation[] = [
  {
    id: "walls-box-network",
    file: "runtime/walls/box/bubblewrap.ts",
    find: '    ...(keeps.network ? ["--share-net"] : []),',
    replace: '    "--share-net",',
    promise: "a box has no network of the machine",
    caughtBy: ["tests/unit/runtime/walls/box/box_test.ts"],
  },
  {
    id: "walls-box-processes",
    file: "runtime/walls/box/bubblewrap.ts",
    find: '    "--unshare-all",\n',
    replace: '    ...["--unshare-ipc", "--unshare-net", "--unshare-uts", "--unshare-cgroup-try"],\n',
    promise: "a program in a box sees no process outside of it",
    caughtBy: ["tests/unit/runtime/walls/box/box_test.ts"],
  },
  {
    id: "programs-reserve-half",
    file: "runtime/walls/box/free_space.ts",
    find: "Math.min(minFreeMb * MEBIBYTE, bytes / 2)",
    replace: "minFreeMb * MEBIBYTE",
    promise: "on a full disk programs still run",
    caughtBy: ["tests/unit/runtime/walls/box/box_test.ts"],
  },
  {
    id: "walls-seccomp-empty",
    file: "runtime/walls/seccomp/seccomp_filter.ts",
    find: '    ...refused.map((number) => [IF_EQUAL, "notPermitted", 0, number] as const),\n',
    replace: "",
    promise: "a box refuses calls that look into other processes and keys",
    caughtBy: ["tests/unit/runtime/walls/seccomp/seccomp_filter_test.ts"],
  },
];
