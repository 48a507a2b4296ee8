import { attachedValue, isOption, type OptionNames } from "../facts/arguments.ts";
import { literalWord, type Word } from "./structure.ts";

/** A program that starts the program named by its arguments. */
interface Wrapper {
  /** Options whose value is the next argument. */
  valued?: OptionNames;
  /** Arguments of the wrapper itself before the program. */
  operands?: number;
  /** The wrapper takes `NAME=value` before the program. */
  assigns?: boolean;
}

/** The words after a wrapper. */
export interface Wrapped {
  words: Word[];
  /** `NAME=value`, as given to the wrapper. */
  assigns: Word[];
}

const SUDO_VALUED = {
  short: "CDghpRrtTUu",
  long: ["user", "group", "host", "prompt", "chdir", "chroot", "role", "type", "other-user", "close-from"],
};

const WRAPPERS: Readonly<Record<string, Wrapper>> = {
  env: { valued: { short: "uC", long: ["unset", "chdir"] }, assigns: true },
  nice: { valued: { short: "n", long: ["adjustment"] } },
  ionice: { valued: { short: "cnpPu", long: ["class", "classdata", "pid", "pgid", "uid"] } },
  timeout: { valued: { short: "ks", long: ["kill-after", "signal"] }, operands: 1 },
  stdbuf: { valued: { short: "ioe", long: ["input", "output", "error"] } },
  time: { valued: { short: "fo", long: ["format", "output"] } },
  nohup: {},
  setsid: {},
  sudo: { valued: SUDO_VALUED, assigns: true },
  doas: { valued: { short: "uC" } },
  pkexec: { valued: { long: ["user"] } },
  run0: { valued: { short: "ugDp", long: ["user", "group", "chdir", "unit", "property", "description"] } },
  command: {},
  builtin: {},
  exec: { valued: { short: "a" } },
  coproc: {},
  chroot: { operands: 1 },
  unshare: { valued: { short: "SGRw", long: ["setuid", "setgid", "root", "wd"] } },
  nsenter: { valued: { short: "tSG", long: ["target", "setuid", "setgid"] } },
  setpriv: { valued: { long: ["reuid", "regid", "groups", "inh-caps", "bounding-set", "securebits"] } },
  taskset: { operands: 1 },
  chrt: { valued: { short: "TPD" }, operands: 1 },
  prlimit: {},
  numactl: { valued: { short: "CNmilpS" } },
  strace: { valued: { short: "abeEIopPsSuXO" } },
  ltrace: { valued: { short: "aAeFlnopsuwx" } },
  flock: { valued: { short: "wE", long: ["timeout", "wait", "conflict-exit-code"] }, operands: 1 },
  systemd_run: {},
  dbus_run_session: {},
  fakeroot: { valued: { short: "lsib" } },
  unbuffer: {},
  rlwrap: {},
  catchsegv: {},
  caffeinate: { valued: { short: "tw" } },
  busybox: {},
  toybox: {},
  linux32: {},
  linux64: {},
  i386: {},
  x86_64: {},
  uname26: {},
  setarch: {},
  xvfb_run: { valued: { short: "efnps" } },
  choom: { valued: { short: "np", long: ["adjust", "pid"] } },
  logsave: { operands: 1 },
  perf: { valued: { short: "eopCGcFmt", long: ["event", "output", "pid", "cpu"] }, operands: 1 },
  ssh_agent: { valued: { short: "aEtOP" } },
  valgrind: {},
  msgfilter: { valued: { short: "iDow", long: ["input", "directory", "output-file", "width"] } },
  msgexec: { valued: { short: "iD", long: ["input", "directory"] } },
  dbus_launch: {},
  systemd_inhibit: {},
  systemd_cat: { valued: { short: "tp", long: ["identifier", "priority", "stderr-priority"] } },
  eatmydata: {},
  faketime: { valued: { short: "f" }, operands: 1 },
  torsocks: {},
  proxychains: { valued: { short: "f" } },
  proxychains4: { valued: { short: "f" } },
  cgexec: { valued: { short: "g" } },
  cpulimit: { valued: { short: "lpe", long: ["limit", "pid", "exe"] } },
  trickle: { valued: { short: "udwtlns" } },
  chpst: { valued: { short: "uUbeneomdofpcr" } },
  softlimit: { valued: { short: "adflmoprst" } },
  envdir: { operands: 1 },
  envuidgid: { operands: 1 },
  setuidgid: { operands: 1 },
  setlock: { operands: 1 },
  gosu: { operands: 1 },
  su_exec: { operands: 1 },
  tini: { valued: { short: "pe" } },
  dumb_init: { valued: { short: "r" } },
  firejail: {},
  proot: { valued: { short: "rbmwqkv0i" } },
  bwrap: { valued: { long: ["bind", "ro-bind", "dev-bind"] } },
  fakechroot: {},
  memusage: { valued: { short: "npdt", long: ["progname", "png", "data"] } },
  sotruss: { valued: { short: "FTo", long: ["from", "to", "output"] } },
  daemonize: { valued: { short: "ceopuIl" } },
  aa_exec: { valued: { short: "pin", long: ["profile", "namespace"] } },
  runcon: { valued: { short: "turl", long: ["type", "user", "role", "range"] } },
  heaptrack: { valued: { short: "o" } },
  hyperfine: { valued: { short: "wmMrpcSs", long: ["warmup", "runs", "prepare", "shell"] } },
};

/** The system's own loader starts any program that it is given. */
const LOADER = /^ld(?:-linux|-musl)?[\w.-]*\.so(?:\.\d+)*$/;
const LOADED: Wrapper = {
  valued: { long: ["library-path", "preload", "argv0", "audit", "inhibit-rpath", "glibc-hwcaps-prepend"] },
};
/** Kinds of machines, which may stand before the program. */
const MACHINE =
  /^(?:linux(?:32|64)|x86_64|i[3-6]86|aarch64|arm\w*|ppc\w*|s390x?|riscv\w*|mips\w*|sparc\w*|ia64|alpha|parisc\w*)$/;

const SPLIT_STRING = { short: "S", long: ["split-string"] };

/** Returns what a wrapper starts, `null` if the program is not a wrapper. */
export function unwrap(program: string, args: readonly Word[]): Wrapped | null {
  const key = program.replaceAll("-", "_");
  const wrapper = LOADER.test(program) ? LOADED : Object.hasOwn(WRAPPERS, key) ? WRAPPERS[key] : undefined;
  if (!wrapper) return null;
  // These only say where a program is.
  if (program === "command" && /^-p?[vV]/.test(args[0]?.value ?? "")) return { words: [], assigns: [] };
  const { valued = {}, assigns: takesAssigns = false } = wrapper;
  const assigns: Word[] = [];
  let operands = wrapper.operands ?? 0;
  for (let at = 0; at < args.length; at++) {
    const word = args[at]!;
    const text = word.value ?? word.prefix;
    if (program === "env" && isOption(text, SPLIT_STRING)) {
      const attached = attachedValue(text, SPLIT_STRING);
      const split = attached === "" ? splitString(args[at + 1]) : splitString(literalWord(attached));
      return { words: [...split, ...args.slice(at + (attached === "" ? 2 : 1))], assigns };
    }
    if (/^-./.test(text)) {
      if (isOption(text, valued) && attachedValue(text, valued) === "") at++;
    } else if (takesAssigns && /^\w+=/.test(text)) assigns.push(word);
    else if (text === "-" && program === "env") continue;
    else if (operands > 0) operands--;
    else if (program === "setarch" && MACHINE.test(text)) continue;
    else return { words: args.slice(at), assigns };
  }
  return { words: [], assigns };
}

function splitString(word: Word | undefined): Word[] {
  if (!word || word.value === null) return word ? [word] : [];
  const parts = word.value.replaceAll(/["'\\]/g, "").split(/\s+/);
  return parts.filter((part) => part !== "").map(literalWord);
}
