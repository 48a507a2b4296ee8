import type { SimpleCommand } from "../../../../schemas/command.ts";
import { gitEffect, gitTransfers } from "../facts/git.ts";
import { asksAboutItself } from "../read/interpreters.ts";
import { isInterpreter, isShell } from "../facts/languages.ts";
import { type Arguments, givenOptions, hasOption, operandsOf } from "../facts/arguments.ts";
import { isElsewhere, NETWORK, READERS, WRITERS } from "../facts/program_lists.ts";
import { writesFiles as sedWritesFiles } from "../facts/sed.ts";

/** What a command does. `code` runs a program that is given to it. `unknown` may do anything. */
export type Effect = "reads" | "writes" | "network" | "code" | "unknown";

const FIND_WRITES = new Set(["-delete", "-fprint", "-fprint0", "-fprintf", "-fls"]);
const COMPRESSORS = new Set(
  ["gzip", "gunzip", "bzip2", "bunzip2", "xz", "unxz", "zstd", "unzstd", "lz4", "pigz", "brotli"],
);
const TO_STDOUT = { short: "clt", long: ["stdout", "list", "test"] };
const SED = new Set(["sed", "gsed"]);

/** Effects that depend on arguments. Other modules find what starts programs. */
const BY_ARGUMENTS: Readonly<Record<string, (args: Arguments) => Effect>> = {
  git: gitEffect,
  find: (args) => args.some((arg) => FIND_WRITES.has(arg ?? "")) ? "writes" : "reads",
  gfind: (args) => args.some((arg) => FIND_WRITES.has(arg ?? "")) ? "writes" : "reads",
  sort: unless({ short: "o", long: ["output"] }),
  gsort: unless({ short: "o", long: ["output"] }),
  uniq: (args) => operandsOf(args, { short: "fsw" }).length > 1 ? "writes" : "reads",
  xxd: (args) => operandsOf(args, { short: "clsogn" }).length > 1 ? "writes" : "reads",
  tree: unless({ short: "o", long: ["output"] }),
  date: unless({ short: "s", long: ["set"] }),
  file: unless({ short: "C", long: ["compile"] }),
  hostname: (args) => operandsOf(args).length > 0 ? "writes" : "reads",
  go: (args) => args[0] === "version" || args[0] === "help" ? "reads" : "writes",
  hash: unless({ short: "p" }),
  yq: unless({ short: "is", long: ["inplace", "in-place", "split-exp"] }),
  env: (args) => operandsOf(args).every((arg) => arg?.includes("=")) ? "reads" : "unknown",
  rg: () => "reads",
  fd: () => "reads",
  fdfind: () => "reads",
  ag: () => "reads",
  command: () => "reads",
  builtin: () => "reads",
  exec: () => "reads",
  xargs: () => "reads",
  time: () => "reads",
  tar: tarEffect,
  bsdtar: tarEffect,
  gtar: tarEffect,
  unzip: (args) => hasOption(args, { short: "lptvzZ" }) ? "reads" : "writes",
  curl: (args) =>
    hasOption(args, { short: "oOTc", long: ["output", "remote-name", "upload-file", "cookie-jar"] })
      ? "writes"
      : "network",
  wget: (args) =>
    hasOption(args, { long: ["spider"] }) || /-O ?-$/m.test(args.join("\n")) ? "network" : "writes",
  openssl: (args) => ["s_client", "s_server", "ocsp"].includes(args[0] ?? "") ? "network" : "unknown",
  history: (args) => hasOption(args, { short: "awrcd" }) ? "writes" : "reads",
};

/** Says what a command does, as far as its program and arguments show. */
export function effectOf(command: SimpleCommand): Effect {
  const effect = ownEffect(command);
  if (effect === "writes" || effect === "network") return effect;
  return isElsewhere(command.path) || command.via.some(isElsewhere) ? "code" : effect;
}

/** Says whether a command uses the network, besides its other effects. */
export function usesNetwork(command: SimpleCommand): boolean {
  const { program, args } = command;
  return NETWORK.has(program) || ownEffect(command) === "network" ||
    (program === "git" && gitTransfers(args));
}

function ownEffect({ program, args }: SimpleCommand): Effect {
  if (Object.hasOwn(BY_ARGUMENTS, program)) return BY_ARGUMENTS[program]!(args);
  if (SED.has(program)) return sedWritesFiles(args) ? "writes" : "reads";
  if (COMPRESSORS.has(program)) return hasOption(args, TO_STDOUT) ? "reads" : "writes";
  if (args.length === 1 && (args[0] === "--version" || args[0] === "--help")) return "reads";
  if (WRITERS.has(program) || program.startsWith("mkfs.")) return "writes";
  if (NETWORK.has(program)) return "network";
  if (isShell(program) || isInterpreter(program)) return asksAboutItself(args) ? "reads" : "code";
  // Another module has already checked what an awk program starts or writes.
  return READERS.has(program) || /^(?:[gmn]|original-)?awk$/.test(program) ? "reads" : "unknown";
}

function unless(option: { short?: string; long?: readonly string[] }): (args: Arguments) => Effect {
  return (args) => hasOption(args, option) ? "writes" : "reads";
}

function tarEffect(args: Arguments): Effect {
  const [first = ""] = args;
  const bundle = first !== null && !first.startsWith("-") ? [`-${first}`] : [];
  const all = [...bundle, ...givenOptions(args)];
  const isToStdout = hasOption(all, { short: "O", long: ["to-stdout"] });
  if (
    hasOption(all, {
      short: "xcruA",
      long: ["extract", "get", "create", "append", "update", "catenate", "delete"],
    })
  ) {
    return isToStdout ? "reads" : "writes";
  }
  return hasOption(all, { short: "td", long: ["list", "diff", "compare"] }) ? "reads" : "writes";
}
