import { assertEquals } from "@std/assert";

import { analyseCommand } from "../../../../../runtime/programs/shell/analyse_command.ts";

type Written = string | readonly string[];

/** A list is a program with its arguments, a text is a script for a shell. */
async function rulesFor(written: Written): Promise<readonly string[]> {
  const command = typeof written === "string" ? { script: written, shell: "bash" } : { argv: written };
  return (await analyseCommand(command)).rules;
}

/** Splits at blanks, as a caller without a shell would. */
function argv(text: string): string[] {
  return text.split(" ");
}

const PASSED: readonly Written[] = [
  ...[
    "rm -rf /tmp/x",
    "rm -rf build",
    "rm -rf ./~",
    "rm /",
    "cat mkfs.md",
    "grep fdisk notes",
    "cat shutdown.md",
    "pytest tests/test_reboot.py",
    "git init 0abc",
    "cat doasis.txt",
    "rsync -e ssh a b",
    "grep /dev/tcp/ f",
    "chmod 777 /tmp/x",
    "chmod 755 /usr/local/bin/x",
    "chmod 644 /x",
    "chmod 1777 d",
    "chown -R me ./build",
    "chown -R me build",
    "grep foo$ f",
    "grep xmrig f",
    "grep minerd f",
    "kill -9 1234",
    "kill -9 12",
    "kill -1 77",
    "git rm build/",
    "echo rm -rf build/",
    "ls -la",
    "chmod 644 file.txt",
    "chown user file.txt",
    "mount dev dir",
    "mount -o ro dev dir",
    "umount dir",
    "umount -l dir",
    "kill -TERM 1",
    "pkill node",
    "pkill -f node",
    "killall node",
    "eval x",
    "echo hello",
    "bash -c",
    "ls /dev",
    "cat /etc/passwd",
    "dd if=/dev/sda of=disk.img",
    "nc -vz host 80",
    "echo ~",
    "curl u | sh",
  ].map(argv),
  ["git", "commit", "-m", "fix asphalt"],
  ["git", "commit", "-m", "use `code` and $(spans) in messages"],
  ["awk", "{print $1}", "f"],
  ["grep", "foo$", "f"],
  ["grep", ":(){ :|:& };:", "f"],
  "curl u | jq .shape",
  "curl u | python3 -m json.tool",
  "curl u | python3 -c 'import sys'",
  "curl u > f.sh",
  "echo $(date)",
  "echo `date`",
  'x=$(git rev-parse HEAD); echo "$x"',
  "grep 'su ' f; echo sudo",
  "node -e 'process.env.X'",
  "eval 'echo hello'",
  "$CC -o x x.c",
  'walk() { for f in "$1"/*; do walk "$f"; done; }; walk .',
  "echo ':(){ :|:& };:'",
  'rm -rf "$TMP"/x',
];

Deno.test("analyseCommand() finds no rule in everyday commands", async () => {
  for (const written of PASSED) assertEquals(await rulesFor(written), [], JSON.stringify(written));
});
