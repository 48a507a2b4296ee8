import { assertMatch } from "@std/assert";

import { type Attack, attackTests, bash } from "../attack.ts";

/** Takes memory of a kind, in megabytes, and holds it. */
const TAKE = `import ctypes, mmap, os, sys, time
kind, size = sys.argv[1], int(sys.argv[2]) << 20
def touch(m): [m.__setitem__(i, 1) for i in range(0, size, 4096)]
if kind == "shared": m = mmap.mmap(-1, size); touch(m)
elif kind == "written":
    f = os.memfd_create("x"); [os.write(f, b"x" * (1 << 20)) for _ in range(size >> 20)]
elif kind == "mapped": f = os.memfd_create("x"); os.ftruncate(f, size); m = mmap.mmap(f, size); touch(m)
elif kind == "segment":
    l = ctypes.CDLL(None); l.shmat.restype = ctypes.c_void_p
    n = l.shmget(0, size, 0o1600)
    if n < 0: sys.exit("there are no segments")
    ctypes.memset(l.shmat(n, None, 0), 1, size)
elif kind == "file": f = open("/dev/shm/x", "wb"); [f.write(b"x" * (1 << 20)) for _ in range(size >> 20)]
elif kind == "many":
    for _ in range(8):
        if os.fork() == 0:
            a = bytearray(size // 8); a[:] = b"x" * len(a); time.sleep(20); os._exit(0)
elif kind == "own": a = bytearray(size)
time.sleep(20)
print("BREACHED")
`;
const KINDS = [
  ["shared", "shared between parent and child"],
  ["written", "a file in memory, written"],
  ["mapped", "a file in memory, mapped"],
  ["segment", "a segment of System V"],
  ["many", "eight processes together"],
] as const;
const CONFIG = JSON.stringify({ programs: { memory_mb: 256 } });
const needs = ["sandbox", "program python3"] as const;

attackTests(7, [
  ...KINDS.map(([kind, title], at): Attack => ({
    id: `7-${String(at + 1).padStart(2, "0")}`,
    title: `memory: ${title}`,
    files: { "ws/take.py": TAKE, "home/memory.json": CONFIG },
    calls: [
      bash(`python3 take.py ${kind} 1200`, ["limit_exceeded", "ok"]),
      { ...bash("echo next", "ok"), says: "next" },
    ],
    after: (_, [taken]) => assertMatch(taken!.text ?? "", /programs\.memory_mb|there are no segments/),
    flags: ["--config=<home>/memory.json"],
    needs,
  })),
  {
    id: "7-10",
    title: "memory: the disk of /dev/shm",
    files: { "ws/take.py": TAKE, "home/memory.json": CONFIG },
    calls: [{
      tool: "Bash",
      arguments: { command: "cd <at> && python3 take.py file 1200 2>/dev/null || echo refused" },
      refusal: ["ok", "limit_exceeded"],
    }],
    flags: ["--config=<home>/memory.json"],
    needs,
  },
  {
    id: "7-11",
    title: "memory: one process alone",
    files: { "ws/take.py": TAKE, "home/memory.json": CONFIG },
    calls: [{ ...bash("python3 take.py own 1200 2>&1 | tail -n 1", "ok"), says: "MemoryError" }],
    flags: ["--config=<home>/memory.json"],
    needs,
  },
  {
    id: "7-12",
    title: "the disk: room taken at once",
    calls: [{ ...bash("fallocate -l 1G large 2>&1; stat -c 'blocks %b' large", "ok"), says: "blocks 0" }],
    needs: ["sandbox"],
  },
  {
    id: "7-13",
    title: "the disk: a file larger than its bound",
    files: { "home/file.json": JSON.stringify({ programs: { file_mb: 8 } }) },
    calls: [bash("head -c 50000000 /dev/zero >large", "any")],
    after: "test $(stat -c %s large) -le 8388608",
    flags: ["--config=<home>/file.json"],
    needs: ["sandbox"],
  },
  {
    id: "7-14",
    title: "processes: a bomb in the background",
    files: { "home/many.json": JSON.stringify({ programs: { processes: 60 } }) },
    calls: [
      bash("i=0; while [ $i -lt 300 ]; do sleep 300 & i=$((i + 1)); done 2>/dev/null; wait"),
      { ...bash("echo next", "ok"), says: "next" },
    ],
    flags: ["--config=<home>/many.json"],
    needs: ["sandbox"],
  },
]);
