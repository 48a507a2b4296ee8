import { assertEquals } from "@std/assert";

import { resourceBounds, withLargestFile } from "../../../../../runtime/programs/launch/resource_bounds.ts";
import { realDisk } from "../../../../../runtime/walls/box/disk_view.ts";
import { findProgram } from "../../../../../runtime/walls/files/find_program.ts";
import type { ProgramLimits } from "../../../../../schemas/config.ts";
import { boxWorks } from "../../../../support/box.ts";

const LIMITS: ProgramLimits = {
  ...{ processes: 99, memory_mb: 512, file_mb: 64, tmp_mb: 16, free_disk_mb: 0, cpu_seconds: 30 },
};
const prlimit = findProgram("prlimit", "/usr/bin:/bin");
const BOUNDS = ["--cpu=30", `--data=${512 * 1024 ** 2}`, `--fsize=${64 * 1024 ** 2}`, "--core=0"];

Deno.test({
  name: "resourceBounds() bounds what the configuration bounds",
  ignore: prlimit === null,
  async fn() {
    const made = { prlimit, setpriv: null, bwrap: null, disk: realDisk };
    const bounds = await resourceBounds(LIMITS, made);
    assertEquals(bounds.words, [prlimit!, ...BOUNDS, "--"]);
    assertEquals((await resourceBounds(LIMITS, { ...made, prlimit: null })).words, []);
    const full = { ...bounds, largestFile: () => 3 * 1024 ** 2 };
    assertEquals(withLargestFile(full, LIMITS, ["/"])[3], `--fsize=${3 * 1024 ** 2}`);
    const over = { ...bounds, largestFile: () => -1 };
    assertEquals(withLargestFile(over, LIMITS, ["/"])[3], `--fsize=${1024 ** 2}`);
  },
});

Deno.test({
  name: "resourceBounds() bounds the processes of a box as well",
  ignore: prlimit === null || !boxWorks,
  async fn() {
    const bwrap = findProgram("bwrap", "/usr/bin:/bin");
    const { words } = await resourceBounds(LIMITS, { prlimit, setpriv: null, bwrap, disk: realDisk });
    assertEquals(words, [prlimit!, ...BOUNDS, "--nproc=99", "--"]);
  },
});
