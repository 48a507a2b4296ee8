import { awkRunsPrograms } from "../facts/awk.ts";
import { gitTexts } from "../facts/git.ts";
import { startText } from "./launchers.ts";
import { type Arguments, type OptionNames, optionValues } from "../facts/arguments.ts";
import { record, type Started } from "./record_command.ts";
import { sedRunsPrograms } from "../facts/sed.ts";
import type { Analyser } from "./structure.ts";

/** Options whose value is a program that is started. */
const STARTING: Readonly<Record<string, OptionNames>> = {
  sort: { long: ["compress-program"] },
  gsort: { long: ["compress-program"] },
  rg: { long: ["pre", "hostname-bin"] },
  man: { short: "PH", long: ["pager", "html"] },
  rsync: { short: "e", long: ["rsh", "rsync-path"] },
  scp: { short: "S" },
  sftp: { short: "S" },
  split: { long: ["filter"] },
  zip: { long: ["unzip-command"] },
  zic: { short: "y" },
  make: { long: ["eval"] },
  gmake: { long: ["eval"] },
};
const TAR = new Set(["tar", "bsdtar", "gtar"]);
const TAR_STARTING: OptionNames = {
  short: "IF",
  long: [
    "to-command",
    "use-compress-program",
    "info-script",
    "new-volume-script",
    "rmt-command",
    "rsh-command",
  ],
};
const TAR_ACTION: OptionNames = { long: ["checkpoint-action"] };
const AWK = new Set(["awk", "gawk", "mawk", "nawk", "original-awk"]);
const SED = new Set(["sed", "gsed"]);
/** Builtins that load code or call back. */
const LOADING: Readonly<Record<string, OptionNames>> = {
  enable: { short: "f" },
  hash: { short: "p" },
  mapfile: { short: "C" },
  readarray: { short: "C" },
  complete: { short: "CFW" },
  compgen: { short: "CFW" },
  bind: { short: "xf" },
};

/** Starts a program, and what its options make it start. */
export function startWithOptions(started: Started, analyser: Analyser): void {
  const { opaque } = analyser.structure;
  const { program } = started;
  const { args } = record(started, analyser);
  for (const text of textsOf(program, args)) startText(text, started, analyser);
  if (AWK.has(program) && awkRunsPrograms(args)) opaque.add(`${program} may start programs or write files`);
  if (SED.has(program) && sedRunsPrograms(args)) opaque.add(`${program} may start programs`);
  if ((program === "less" || program === "more") && args.some((arg) => arg?.startsWith("+"))) {
    opaque.add(`${program} runs commands of its own`);
  }
  if (Object.hasOwn(LOADING, program) && optionValues(args, LOADING[program]!).length > 0) {
    opaque.add(`${program} brings in other code`);
  }
}

function textsOf(program: string, args: Arguments): (string | null)[] {
  if (program === "git") return gitTexts(args);
  // A doubled letter is an option of its own: what tries the new archive.
  if (program === "zip" && args.some((arg) => /^-[A-Za-z]*TT/.test(arg ?? ""))) return [null];
  if (TAR.has(program)) return tarTexts(args);
  if (!Object.hasOwn(STARTING, program)) return [];
  return optionValues(args, STARTING[program]!);
}

function tarTexts(args: Arguments): (string | null)[] {
  // Old style: `tar xIf PROGRAM FILE` takes values in the order of its letters.
  const bundle = /^[A-Za-z]*[IF]/.test(args[0] ?? "") ? [null] : [];
  const actions = optionValues(args, TAR_ACTION);
  const texts = actions.filter((action) => action === null || action.startsWith("exec="));
  const values = optionValues(args, TAR_STARTING);
  return [...bundle, ...texts.map((text) => text?.slice("exec=".length) ?? null), ...values];
}
