import { attachedValue, hasOption, isOption, type OptionNames, optionValues } from "../facts/arguments.ts";
import { holdWrites, record, type Started, viaName } from "./record_command.ts";
import { newScope } from "./scope.ts";
import {
  type Analyser,
  inside,
  literalWord,
  type Surroundings,
  unknownWord,
  type Word,
} from "./structure.ts";

type Launch = (started: Started, analyser: Analyser) => void;

const XARGS_VALUED = {
  short: "aEdILnPs",
  long: ["arg-file", "delimiter", "max-args", "max-procs", "max-chars", "process-slot-var"],
};
const REPLACE = { short: "Ii", long: ["replace"] };
const FIND_RUNS = new Set(["-exec", "-execdir", "-ok", "-okdir"]);
const FD_RUNS = new Set(["-x", "--exec", "-X", "--exec-batch"]);
const WATCH_VALUED = { short: "nq", long: ["interval", "equexit"] };
const DAEMON = { short: "xa", long: ["exec", "startas"] };
const SSH_VALUED = { short: "BbcDEeFIiJLlmOoPpQRSWw" };
/** Programs that take a text for a shell as the value of an option. */
const TEXT_OPTIONS: Readonly<Record<string, OptionNames>> = {
  su: { short: "c", long: ["command", "session-command"] },
  runuser: { short: "c", long: ["command", "session-command"] },
  script: { short: "c", long: ["command"] },
  flock: { short: "c", long: ["command"] },
  sg: { short: "c" },
  tmux: { short: "c" },
};

const LAUNCHERS: Readonly<Record<string, Launch>> = {
  xargs: startXargs,
  gxargs: startXargs,
  parallel: startParallel,
  find: (started, analyser) => startEach(started, FIND_RUNS, analyser),
  gfind: (started, analyser) => startEach(started, FIND_RUNS, analyser),
  fd: (started, analyser) => startEach(started, FD_RUNS, analyser),
  fdfind: (started, analyser) => startEach(started, FD_RUNS, analyser),
  watch: startWatch,
  ssh: startSsh,
  "start-stop-daemon": startDaemon,
};

/** Starts a program that starts others from its arguments; returns false for any other program. */
export function startLauncher(started: Started, analyser: Analyser): boolean {
  const { program } = started;
  if (Object.hasOwn(LAUNCHERS, program)) {
    LAUNCHERS[program]!(started, analyser);
    return true;
  }
  const option = Object.hasOwn(TEXT_OPTIONS, program) ? TEXT_OPTIONS[program]! : null;
  const texts = option ? optionValues(started.args.map(({ value }) => value), option) : [];
  if (texts.length === 0) return false;
  // The program's name tells what else it does, such as keeping a transcript.
  record(started, analyser);
  for (const text of texts) startText(text, started, analyser);
  return true;
}

/** Takes a text apart that a program gives to a shell. */
export function startText(text: string | null, started: Started, { structure, script }: Analyser): void {
  if (text === null) structure.opaque.add(`${started.program} runs something that is not known before`);
  else script(text, launched(started));
}

function startXargs(started: Started, analyser: Analyser): void {
  const { args, around } = started;
  const printers = around.stdin?.printers ?? [];
  const at = skipOptions(args, XARGS_VALUED);
  const words = args.slice(at);
  if (words.length === 0) {
    record(started, analyser);
    return;
  }
  holdWrites(around, analyser);
  const own = args.slice(0, at).map(({ value }) => value);
  const isReplacing = hasOption(own, REPLACE);
  const marks = isReplacing ? optionValues(own, REPLACE).map((mark) => mark || "{}") : [];
  const filled = words.map((word) => {
    const isMarked = marks.some((mark) => word.value?.includes(mark) || word.value?.includes("{}"));
    return isMarked ? unknownWord(word.text, { prefix: beforeMark(word), printers }) : word;
  });
  if (!isReplacing) filled.push(unknownWord("", { printers, prefix: "" }));
  analyser.start(filled, launched(started));
}

function beforeMark(word: Word): string {
  return word.prefix.split("{}", 1)[0] ?? "";
}

function startParallel(started: Started, analyser: Analyser): void {
  const { args } = started;
  const words = args.slice(skipOptions(args, { short: "jPNnLIaSs" }));
  const end = words.findIndex(({ value }) => value !== null && /^:::/.test(value));
  record(started, analyser);
  analyser.structure.opaque.add("parallel composes what it runs");
  const own = end < 0 ? words : words.slice(0, end);
  if (own.length > 0) analyser.start([...own, unknownWord("{}")], launched(started));
}

/** Starts the programs that `find -exec` and similar options name; there may be several. */
function startEach(started: Started, runs: ReadonlySet<string>, analyser: Analyser): void {
  const { args } = started;
  record(started, analyser);
  for (let at = 0; at < args.length; at++) {
    if (!runs.has(args[at]?.value ?? "")) continue;
    const end = args.findIndex((word, index) => index > at && endsCommand(word, args[index - 1]!));
    const words = args.slice(at + 1, end < 0 ? undefined : end).map((word) =>
      // A found path starts with the folder that was searched.
      word.value?.includes("{}") ? unknownWord(word.text, { prefix: beforeMark(word) || "./" }) : word
    );
    if (words.length > 0) analyser.start(words, launched(started));
    at += words.length;
  }
}

function endsCommand(word: Word, before: Word): boolean {
  return word.value === ";" || (word.value === "+" && before.value === "{}");
}

function startWatch(started: Started, analyser: Analyser): void {
  const { args, around } = started;
  const at = skipOptions(args, WATCH_VALUED);
  const words = args.slice(at);
  holdWrites(around, analyser);
  if (words.length === 0) record(started, analyser);
  else if (hasOption(args.slice(0, at).map(({ value }) => value), { short: "x", long: ["exec"] })) {
    analyser.start(words, launched(started));
  } else {
    const isKnown = words.every(({ value }) => value !== null);
    startText(isKnown ? words.map(({ value }) => value).join(" ") : null, started, analyser);
  }
}

function startSsh(started: Started, analyser: Analyser): void {
  const { args } = started;
  record(started, analyser);
  const hosts = args.slice(skipOptions(args, SSH_VALUED));
  if (hosts.length > 1) analyser.structure.opaque.add("ssh runs a command on another machine");
  for (const option of optionValues(args.map(({ value }) => value), { short: "o" })) {
    const text = /^(?:ProxyCommand|LocalCommand|KnownHostsCommand)[= ]\s*(.*)$/i.exec(option ?? "")?.[1];
    if (text !== undefined) startText(text, started, analyser);
  }
}

/** Starts the program that an option names, with the words behind `--`. */
function startDaemon(started: Started, analyser: Analyser): void {
  const { args } = started;
  record(started, analyser);
  const end = args.findIndex(({ value }) => value === "--");
  const given = end < 0 ? args : args.slice(0, end);
  const own = end < 0 ? [] : args.slice(end + 1);
  for (const program of optionValues(given.map(({ value }) => value), DAEMON)) {
    analyser.start([program === null ? unknownWord("") : literalWord(program), ...own], launched(started));
  }
}

/** Returns the index of the first argument that is not an option. */
function skipOptions(args: readonly Word[], valued: OptionNames): number {
  let at = 0;
  for (; at < args.length; at++) {
    const text = args[at]!.value ?? args[at]!.prefix;
    if (text === "--") return at + 1;
    if (!/^-./.test(text)) break;
    if (isOption(text, valued) && attachedValue(text, valued) === "") at++;
  }
  return at;
}

function launched(started: Started): Surroundings {
  return { ...inside(started.around, viaName(started), newScope()), stdin: null };
}
