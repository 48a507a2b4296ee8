/** One way out, as a script for bash that ends well if it was a way out. */
export interface Attack {
  name: string;
  script: string;
}

/** What attacks go for. */
export interface Prey {
  /** Folder outside that holds `secret.txt`, beside the workspace. */
  outside: string;
  /** The user's home, with `.ssh/id_rsa`. */
  home: string;
  /** Stands in every secret. */
  secret: string;
  /** Value of a variable of bulkhead's own. */
  token: string;
}

/** Tries each script of the folder `attacks`, and tells of all at the end. */
export const TRY_ALL = "bash attacks/all";

/** Turns attacks into files of a workspace; {@linkcode TRY_ALL} runs them. */
export function attackFiles(attacks: readonly Attack[]): Record<string, string> {
  const all = `said=$(
  for script in attacks/*.sh; do
    bash "$script" >/dev/null 2>&1 </dev/null && result=BREACHED || result=refused
    name=\${script##*/}
    echo "\${name%.sh}: $result"
  done
)
echo "$said"`;
  const scripts = attacks.map(({ name, script }) => [`ws/attacks/${name}.sh`, script] as const);
  return { "ws/attacks/all": all, ...Object.fromEntries(scripts) };
}

export function results(text: string): Record<string, string> {
  return Object.fromEntries(
    [...text.matchAll(/^([\w-]+): (refused|BREACHED)\r?$/gm)].map(([, name, result]) => [
      name!,
      result!,
    ]),
  );
}

/** Returns the results if nothing is a way out, or everything. */
export function all(result: "refused" | "BREACHED", attacks: readonly Attack[]): Record<string, string> {
  return Object.fromEntries(attacks.map(({ name }) => [name, result]));
}

/** Ways to read what is outside; without walls each of them works. */
export function readingAttacks({ outside, home, secret, token }: Prey): Attack[] {
  const file = `${outside}/secret.txt`;
  return [
    { name: "read-absolute", script: `grep -q ${secret} ${file}` },
    { name: "read-dots", script: `grep -q ${secret} ../outside/secret.txt` },
    { name: "read-by-cd", script: `cd / && cd ${outside} && grep -q ${secret} secret.txt` },
    { name: "read-link", script: `ln -s ${file} read-link && grep -q ${secret} read-link` },
    { name: "read-folder-link", script: `ln -s .. up && grep -q ${secret} up/outside/secret.txt` },
    { name: "read-hard-link", script: `ln ${file} read-hard && grep -q ${secret} read-hard` },
    { name: "read-root-of-self", script: `grep -q ${secret} /proc/self/root${file}` },
    { name: "read-root-of-any", script: `cat /proc/[0-9]*/root${file} | grep -q ${secret}` },
    { name: "read-folder-of-any", script: `cat /proc/[0-9]*/cwd/../outside/secret.txt | grep -q ${secret}` },
    { name: "read-tar", script: `tar -cPf - ${outside} | grep -qa ${secret}` },
    { name: "read-find", script: `find / -xdev -name secret.txt -exec cat {} + | grep -q ${secret}` },
    { name: "list-outside", script: `ls ${outside}` },
    { name: "list-neighbours", script: `ls .. | grep -qx outside` },
    { name: "ssh-key", script: `grep -q ${secret} ${home}/.ssh/id_rsa` },
    { name: "environment-of-any", script: `cat /proc/[0-9]*/environ | grep -qa ${token}` },
    { name: "command-of-any", script: `cat /proc/[0-9]*/cmdline > commands; grep -qa ${secret} commands` },
    { name: "environment", script: `env | grep -q ${token}` },
    { name: "environment-of-shell", script: `set | grep -q "^PLANTED"` },
  ];
}

/** Ways to change what is outside; without walls each of them works. */
export function writingAttacks({ outside, home }: Prey): Attack[] {
  return [
    { name: "write-absolute", script: `echo x > ${outside}/made-1` },
    { name: "write-dots", script: `echo x > ../outside/made-2` },
    { name: "write-link", script: `ln -s ${outside}/made-3 write-link && echo x > write-link` },
    { name: "write-folder-link", script: `ln -s ${outside} folder && echo x > folder/made-4` },
    { name: "write-root-of-self", script: `echo x > /proc/self/root${outside}/made-5` },
    { name: "append", script: `echo x >> ${outside}/append.txt` },
    { name: "remove", script: `rm ${outside}/remove.txt` },
    { name: "move-in", script: `mv ${outside}/move.txt moved-in` },
    { name: "move-out", script: `echo x > out && mv out ${outside}/made-6` },
    { name: "change-mode", script: `chmod 777 ${outside}/append.txt` },
    { name: "change-time", script: `touch -c -d 2001-01-01 ${outside}/append.txt && test -e ${outside}` },
    { name: "extract", script: `echo x > made-7 && tar -cf - made-7 | tar -C ${outside} -xf -` },
    { name: "home", script: `echo x >> ${home}/.bashrc` },
    { name: "authorized-keys", script: `echo x >> ${home}/.ssh/authorized_keys` },
    { name: "move-workspace", script: `mv "$PWD" "$PWD-moved" && mv "$PWD-moved" "$PWD"` },
  ];
}

/** Ways to power over the machine, which are refused everywhere, or must not be tried outside. */
export const POWER_ATTACKS: readonly Attack[] = [
  { name: "shadow", script: `test -n "$(cat /etc/shadow /etc/gshadow)"` },
  { name: "system-folder", script: "touch /usr/bin/bulkhead-planted || touch /etc/bulkhead-planted" },
  { name: "root-folder", script: "touch /bulkhead-planted || mkdir /run /var" },
  { name: "device-folder", script: "touch /dev/bulkhead-planted" },
  { name: "kernel-settings", script: "echo x > /proc/sys/kernel/hostname" },
  { name: "core-pattern", script: 'echo "|/bin/false" > /proc/sys/kernel/core_pattern' },
  { name: "sysrq", script: "echo h > /proc/sysrq-trigger" },
  { name: "binary-formats", script: "echo :x:M::x::/bin/false: > /proc/sys/fs/binfmt_misc/register" },
  { name: "power-state", script: "test -e /sys/power/state || test -e /sys/kernel" },
  { name: "host-name", script: "hostname bulkhead-planted" },
  { name: "mount", script: "mkdir mounted; mount -t tmpfs none mounted" },
  { name: "bind-mount", script: "mkdir mounted; mount --bind / mounted" },
  { name: "remount", script: "mount -o remount,rw,bind /usr" },
  { name: "unmount", script: "umount /proc/sys || umount -l .git/config" },
  { name: "user-namespace", script: "unshare --user --map-root-user true" },
  { name: "mount-namespace", script: "unshare --mount true" },
  { name: "network-namespace", script: "unshare --net true" },
  { name: "enter-namespace", script: "nsenter --target 1 --mount --pid true" },
  { name: "nested-box", script: "bwrap --ro-bind / / true" },
  { name: "change-root", script: "chroot . /bin/true || chroot / true" },
  { name: "device", script: "mknod disk b 8 0 || mknod null c 1 3" },
  {
    name: "disks",
    script: "ls /dev/sd* /dev/vd* /dev/nvme* /dev/mem /dev/kmsg /dev/kvm /dev/fuse | grep -q .",
  },
  { name: "kernel-log", script: "dmesg | grep -q ." },
  { name: "capabilities", script: 'grep -qE "^Cap(Inh|Prm|Eff|Bnd|Amb):.*[1-9a-f]" /proc/self/status' },
  { name: "new-privileges", script: 'grep -qE "^NoNewPrivs:.*0" /proc/self/status' },
  { name: "su", script: "su -c true nobody" },
  { name: "sudo", script: "sudo -n true" },
  { name: "ping", script: "ping -c 1 -W 1 192.0.2.1" },
  { name: "higher-priority", script: "test $(nice -n -5 nice) -lt 0" },
  {
    name: "terminal-input",
    script: `perl -e 'open(T, "+</dev/tty") or exit 1; ioctl(T, 0x5412, "x") or exit 1'`,
  },
  {
    name: "engine-sockets",
    script: "ls /run/docker.sock /var/run/docker.sock /run/podman /run/user /run/dbus",
  },
  { name: "first-process", script: "kill -KILL 1 && sleep 0.1 && ! kill -0 1" },
];
