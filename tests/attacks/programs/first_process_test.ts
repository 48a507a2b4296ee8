import { type Attack, attackTests, bash } from "../attack.ts";

/** Makes a call of the system by its number on this kind of processor, and says whether it was let through. */
const CALL = `import ctypes, sys
l = ctypes.CDLL(None, use_errno=True)
r = l.syscall(*[ctypes.c_ulong(int(a, 0) & (2**64 - 1)) for a in sys.argv[1:]])
print("BREACHED" if r >= 0 or ctypes.get_errno() in (14, 22, 9, 3) else "refused")
`;

/** What is tried, as the words of `call.py` on x86_64. A wrong argument would fail otherwise: then it was let through. */
const CALLS: readonly (readonly [title: string, words: string])[] = [
  ["attach to the first process", "101 16 1 0 0"],
  ["seize the first process", "101 0x4206 1 0 0"],
  ["write the first process's memory", "311 1 0 0 0 0 0"],
  ["read the first process's memory", "310 1 0 0 0 0 0"],
  ["take an open file of the first process", "438 3 0 0"],
  ["compare with the first process", "312 1 1 0 0 0"],
  ["count events of the processor", "298 0 0 -1 -1 0"],
  ["handle page faults of others", "323 1"],
  ["memory that nobody else sees", "447 0"],
  ["watch the whole file system", "300 0 0"],
  ["change the table of segments", "154 0 0 0"],
  ["load a program into the kernel", "321 0 0 0"],
  ["kernel keys", "250 0 -3 0"],
  ["a ring of calls", "425 1 0"],
  ["a namespace of users", "272 0x10000000"],
  ["a namespace of mounts, by clone", "56 0x20011 0 0 0 0"],
  ["enter another namespace", "308 0 0"],
  ["a mount", "165 0 0 0 0 0"],
  ["a file system", "430 0 0"],
  ["open a file by its handle", "304 -100 0 0"],
  ["addresses that are not random", "135 0x40000"],
  ["a socket to the host of a virtual machine", "41 40 1 0"],
  ["a socket for ciphers", "41 38 5 0"],
  ["a socket for the audit of the kernel", "41 16 3 9"],
  ["type into a terminal", "16 0 0x5412 0"],
  ["paste into a console", "16 0 0x541c 0"],
  ["room on a disk at once", "285 1 0 0 4096"],
  ["the other table of calls", "0x40000065 16 1 0 0"],
];

const needs = ["sandbox", "program python3"] as const;

function systemCall([title, words]: readonly [string, string], at: number): Attack {
  return {
    id: `6-${String(at + 1).padStart(2, "0")}`,
    title,
    files: { "ws/call.py": CALL },
    calls: [{
      ...bash(`[ $(uname -m) = x86_64 ] || { echo refused; exit; }; python3 call.py ${words}`, "ok"),
      says: "refused",
    }],
    needs,
  };
}

const FILES = [
  "mem",
  "environ",
  "maps",
  "auxv",
  "syscall",
  "stack",
  "fd/0",
  "cwd",
  "root",
  "exe",
  "task/1/mem",
];

const attacks: readonly Attack[] = [
  ...CALLS.map(systemCall),
  ...FILES.map((name, at): Attack => ({
    id: `6-${40 + at}`,
    title: `read ${name} of the first process`,
    calls: [{
      ...bash(
        `{ head -c 1 /proc/1/${name} || ls /proc/1/${name}/; } >/dev/null 2>&1 && echo BREACHED || echo refused`,
        "ok",
      ),
      says: "refused",
    }],
    needs: ["sandbox"],
  })),
  {
    id: "6-60",
    title: "write the memory of the first process",
    calls: [{
      ...bash("{ : >>/proc/1/mem; } 2>/dev/null && echo BREACHED || echo refused", "ok"),
      says: "refused",
    }],
    needs: ["sandbox"],
  },
  {
    id: "6-61",
    title: "stop or end the first process by signals",
    calls: [{
      ...bash(
        "for s in KILL STOP TERM HUP INT QUIT SEGV ABRT USR1 TSTP; do kill -s $s 1; done 2>/dev/null; echo still here",
        "ok",
      ),
      says: "still here",
    }],
    needs: ["sandbox"],
  },
  {
    id: "6-62",
    title: "outlive the call in a session of its own, without an environment",
    calls: [
      bash(
        ">held; env -i setsid flock held sleep 100000 >/dev/null 2>&1 & while flock -n held true; do :; done",
        "ok",
      ),
    ],
    // The lock lasts as long as who holds it.
    after: "flock -w 60 held true",
    needs: ["sandbox"],
  },
  {
    id: "6-63",
    title: "wider bounds for the first process",
    files: {
      "ws/raise.py": `import resource
for which in (resource.RLIMIT_DATA, resource.RLIMIT_CPU, resource.RLIMIT_FSIZE, resource.RLIMIT_NPROC):
    try:
        if resource.prlimit(1, which)[1] == resource.RLIM_INFINITY: print("BREACHED: no bound")
        resource.prlimit(1, which, (-1, -1)); print("BREACHED")
    except (PermissionError, ValueError): print("refused")
`,
    },
    calls: [{ ...bash("python3 raise.py | sort -u", "ok"), says: "stdout:\nrefused\n" }],
    needs,
  },
];

attackTests(6, attacks.map((attack) => ({ ...attack, asRoot: true })));
