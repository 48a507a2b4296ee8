import { type Attack, attackTests, sampled } from "../attack.ts";

const BOUNDS = JSON.stringify({ programs: { memory_mb: 192, processes: 40, file_mb: 8, tmp_mb: 8 } });
/** Programs for Python that take more than they may; each prints GOT at its end. */
const TAKES: Readonly<Record<string, string>> = {
  "memory of its own": "x = bytearray(400 << 20); print('GOT')",
  "memory by mapping":
    "import mmap; m = mmap.mmap(-1, 400 << 20, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS); m[:] = b'x' * (400 << 20); print('GOT')",
  "a list without end": "x = []\nfor i in range(10**9): x.append(str(i) * 100)\nprint('GOT')",
  "a text without end": "x = 'x' * (400 << 20); print('GOT')",
  "a large file":
    "f = open('big', 'wb')\nfor i in range(20): f.write(b'x' * (1 << 20)); f.flush()\nprint('GOT')",
  "a large file by its length":
    "import os; f = open('big', 'wb'); os.truncate('big', 20 << 20); print('GOT')",
  "space by fallocate":
    "import os; f = open('big', 'wb'); os.posix_fallocate(f.fileno(), 0, 20 << 20); print('GOT')",
  "the private folder for temporary files":
    "import os\nfor i in range(20): open(f'/tmp/big{i}', 'wb').write(b'x' * (1 << 20))\nprint('GOT')",
};

attackTests(
  7,
  sampled(
    Object.entries(TAKES).map(([what, program], at): Attack => ({
      id: `7-${101 + at}`,
      title: `a program that takes ${what}`,
      files: { "home/bounds.json": BOUNDS, "ws/take.py": program },
      flags: ["--config", "<home>/bounds.json"],
      calls: [{ tool: "Bash", arguments: { command: "cd <at>; python3 take.py", timeout: 20 } }],
      after(_place, [answer]) {
        const { stdout = "" } = (answer!.result ?? {}) as { stdout?: string };
        if (stdout.includes("GOT")) throw new Error(answer!.text);
      },
      needs: ["sandbox", "program python3"],
    })),
  ),
);
