import { assert, assertEquals } from "@std/assert";

import { boxWorks } from "../../support/box.ts";
import { hasProgram } from "../../support/needed_programs.ts";
import { programScene } from "../../support/program_scene.ts";

const isRoot = Deno.uid() === 0;

const mayMount = hasProgram("unshare") && await new Deno.Command("unshare", {
  args: ["-m", "mount", "-t", "tmpfs", "none", "/mnt"],
  stderr: "null",
}).output().then(({ success }) => success, () => false);

function mount(...args: string[]): boolean {
  return new Deno.Command(args[0]!, { args: args.slice(1) }).outputSync().success;
}

Deno.test({ name: "The watchdog sees a real disk fill", ignore: !mayMount || !isRoot, fn: fillDisk });

async function fillDisk() {
  await using scene = programScene({ boxed: boxWorks, limits: { processes: 512, free_disk_mb: 8 } });
  assert(mount("mount", "-t", "tmpfs", "-o", "size=32m", "none", scene.path));
  try {
    const fill = "for i in $(seq 1000); do head -c 1000000 /dev/zero >>file || exit 9; sleep 0.02; done";
    const end = await scene.sh(fill, { timeoutMs: 20_000 });
    assertEquals([end.reason, end.exitCode], ["disk", 137]);
    assertEquals((await scene.sh("rm file; echo fine")).stdout.head, "fine\n");
  } finally {
    mount("umount", scene.path);
  }
}

for (const boxed of [true, false]) {
  Deno.test({
    name: `A program takes neither all entries of a disk nor all bytes at once, ${
      boxed ? "boxed" : "unboxed"
    }`,
    ignore: !mayMount || !isRoot || (boxed && !boxWorks),
    fn: () => useUpDisk(boxed),
  });
}

async function useUpDisk(boxed: boolean) {
  await using scene = programScene({ boxed, limits: { processes: 512, free_disk_mb: 8 } });
  assert(mount("mount", "-t", "tmpfs", "-o", "size=200m,nr_inodes=20000", "none", scene.path));
  try {
    const many = await scene.sh(
      "seq -f d%g 19000 | xargs -n 500 sh -c 'mkdir \"$@\"; sleep 0.02' sh; sleep 9",
    );
    assertEquals(many.reason, "disk");
    assert(
      many.warnings.some((text) =>
        text.includes(`${scene.path} was about to have no more room for more files`)
      ),
    );
    await scene.sh("rm -r d*");
    const large = await scene.sh(
      "head -c 100000000 /dev/zero >large; head -c 104000000 /dev/zero >more; sleep 9",
    );
    assertEquals(large.reason, "disk");
    assert(
      large.warnings.some((text) => text.includes(`${scene.path}/large (100 MB)`)),
      large.warnings.join(),
    );
    await scene.sh("rm large more");
    const whole = await scene.sh("fallocate -l 195M all");
    if (boxed) assert(whole.exitCode !== 0);
    const { stdout } = await scene.sh("fallocate -l 90M a 2>&1; fallocate -l 90M b 2>&1; stat -c %b a");
    if (boxed) assert(stdout.head.includes("not supported") && stdout.head.endsWith("0\n"), stdout.head);
  } finally {
    mount("umount", scene.path);
  }
}
