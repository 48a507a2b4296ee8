/** For bash: makes a tree with one of everything that a copy can lose, in the current folder. */
export const ODD_TREE = [
  "umask 022; git init -q .; git config user.name t; git config user.email t@t",
  "mkdir -p src/deep empty 'with space' shut; echo one > src/a; echo two > src/b; echo x > src/deep/c",
  "printf 'odd\\n' > 'with space/new\nline'; printf 'dash\\n' > -dash; printf 'quote\\n' > \"it's\"",
  "ln src/a src/hard; ln -s a src/link; ln -s /nowhere src/broken; mkfifo pipe; truncate -s 3M sparse; echo end >> sparse",
  "printf '#!/bin/sh\\n' > run.sh; chmod 755 run.sh; chmod 600 src/b; echo in > shut/in; chmod 500 shut",
  "seq 60000 > bytes; git add -A 2>/dev/null; git commit -qm first",
  "touch -d '2020-01-02 03:04:05.678901234' src/a src/b run.sh; touch -d '2021-01-01' empty src/deep",
].join("\n");

/** For bash: changes each kind of thing in such a tree. */
export const ODD_CHANGES = [
  "echo more >> src/a; rm src/b; mv src/deep moved; rmdir empty; echo n > 'with space/new\nline'; rm -- -dash",
  "mkdir -p made/empty; echo new > made/file; chmod 640 run.sh; rm src/link; ln -s b src/link; rm src/broken",
  "mkdir src/broken; echo f > src/broken/f; rm pipe; echo now-a-file > pipe; dd if=/dev/zero of=sparse bs=1 count=1 2>/dev/null",
  "chmod 700 shut; echo more >> shut/in; git add -A; git commit -qm second; ln bytes twin",
].join("\n");

/** Returns everything about a tree that can be compared, a line an entry. */
export async function treeOf(folder: string): Promise<string> {
  // The times of folders change with whatever is made in them for a moment.
  const script =
    "find . -type d -printf '%p %y %m\\n' -o -printf '%p %y %m %s %T@ %n %l\\n' | LC_ALL=C sort; " +
    "find . -type f -print0 | LC_ALL=C sort -z | xargs -0 -r sha256sum";
  const { success, stdout, stderr } = await new Deno.Command("/bin/bash", {
    args: ["-c", script],
    cwd: folder,
  }).output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
  return new TextDecoder().decode(stdout);
}

/** Runs a script of bash in a folder, outside of all walls. */
export async function inFolder(folder: string, script: string): Promise<void> {
  const { success, stderr } = await new Deno.Command("/bin/bash", { args: ["-ec", script], cwd: folder })
    .output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
}
