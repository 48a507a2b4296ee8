import { assert, assertEquals } from "@std/assert";

import { type Attack, attackTests, bash } from "./attack.ts";

const OVERLAY = ["--overlay", "--allow-run=bash"];

/** In an overlay: whatever is tried, the workspace stays as it is, to the last byte. */
const tries: readonly [title: string, command: string, setup?: string][] = [
  [
    "a hook",
    "printf '#!/bin/sh\\n' > .git/hooks/pre-commit; chmod +x .git/hooks/pre-commit",
    "git init -q .",
  ],
  [
    "a hook by way of a setting",
    "git config core.hooksPath h; mkdir h; echo x > h/pre-commit",
    "git init -q .",
  ],
  ["a link out of the workspace, written through", "ln -s <outside> out; echo evil > out/planted"],
  ["a link to the folder itself, absolute", "ln -s <ws> self; echo evil > self/planted"],
  [
    "the original through the root of each process",
    "for p in /proc/[0-9]*; do echo e > $p/root<ws>/planted; done",
  ],
  [
    "the original through the folder of each process",
    "for p in /proc/[0-9]*; do echo e > $p/cwd/<at>/planted; done",
  ],
  [
    "the original through open files of processes",
    "for f in /proc/[0-9]*/fd/*; do echo e > $f/planted; done 2>&1 | tail -1",
  ],
  ["the mount namespace of the first process", "nsenter -t 1 -m sh -c 'echo evil > <ws>/planted'"],
  ["taking the mount away", "umount -l <root>/ws; umount <ws>; echo evil > <ws>/planted"],
  [
    "taking the mount away in a namespace",
    "unshare -Urm sh -c 'umount -l <root>/ws; echo evil > <ws>/planted'",
  ],
  [
    "a mount of the root elsewhere",
    "mkdir m; unshare -Urm sh -c 'mount --bind / m; echo evil > m<ws>/planted'",
  ],
  ["a hard link of a file, written", "ln a b; echo evil >> b; echo evil >> a", "echo a > a"],
  [
    "a file that was a hard link to the outside",
    "echo evil >> a",
    "echo a > <outside>/real; ln <outside>/real a",
  ],
  [
    "the copy by its place in the state folder",
    "for d in <state>/overlays/*/tree; do echo evil > $d/<at>/planted; done",
  ],
  ["what is known of the copy", "rm -rf <state>/overlays/*; ls <state>/overlays"],
  [
    "modes, times and removals",
    "chmod 777 a; touch -d 2001-01-01 a; rm -r d; mkfifo p",
    "echo a > a; mkdir -p d/e",
  ],
  ["a repository without a work tree", "git init -q --bare .; echo evil > hooks/post-checkout; ls"],
];

attackTests(
  1,
  tries.map(([title, command, setup], n): Attack => ({
    id: `1-${401 + n}`,
    title: `in an overlay, ${title}`,
    setup: `echo kept > kept.txt; ${setup ?? "true"}`,
    flags: OVERLAY,
    calls: [bash(command)],
    unchanged: ["."],
    absent: ["planted"],
    after: "test ! -e <outside>/planted; ! grep -q evil <outside>/real 2>/dev/null",
    ...(title.startsWith("a link out") && { needs: ["sandbox"] as const }),
  })),
);

/** What an overlay holds when `apply` is asked for all of it: nothing that the user's tools execute comes along. */
const planted: readonly [title: string, command: string, path: string][] = [
  ["a hook of git", "echo evil > .git/hooks/pre-commit", ".git/hooks/pre-commit"],
  ["a setting of git", "printf '[core]\\nfsmonitor = evil\\n' >> .git/config", ".git/config"],
  ["the file of an editor", "mkdir .vscode; echo {} > .vscode/tasks.json", ".vscode/tasks.json"],
  ["a folder of hooks that a setting names", "echo evil > hooks/pre-commit", "hooks/pre-commit"],
  [
    "a repository without a work tree",
    "mkdir -p b/objects b/refs b/hooks; echo 'ref: refs/heads/m' > b/HEAD; " +
    "echo '[core]' > b/config; echo evil > b/hooks/post-checkout",
    "b/hooks/post-checkout",
  ],
  [
    "a new repository below",
    "mkdir s; git -C s init -q; echo evil > s/.git/hooks/pre-commit",
    "s/.git/hooks/pre-commit",
  ],
  [
    "a folder in the place of a link to hooks",
    "rm l; mkdir l; echo evil > l/post-merge",
    ".git/hooks/post-merge",
  ],
];

attackTests(
  1,
  planted.map(([title, command, path], n): Attack => ({
    id: `1-${431 + n}`,
    title: `apply of an overlay brings in ${title}`,
    alone: true,
    needs: ["sandbox"],
    setup:
      "git init -q .; git config core.hooksPath hooks; mkdir hooks; ln -s .git/hooks l; rm -f .git/hooks/*",
    async act({ run, bash }) {
      const { stdout: before } = await bash("cat .git/config; ls .git/hooks");
      // The sandbox would move it away before; what is tried here is apply.
      const flags = ["--sandbox=off", "--allow-run", "--allow-write=.git,.vscode,hooks,s,b,l"];
      await run(["exec", "--overlay", ...flags, "--", "sh", "-c", command]);
      const applied = await run(["apply"]);
      assertEquals(
        (await bash(`cat .git/config; ls .git/hooks; test ! -e ${path} || cat ${path}`)).stdout.includes(
          "evil",
        ),
        false,
      );
      assertEquals((await bash("cat .git/config; ls .git/hooks")).stdout, before);
      assert([0, 2, 3].includes(applied.code), applied.stderr);
    },
  })),
);
