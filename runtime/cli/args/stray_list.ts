import { flagWord, showFlags, splitValues } from "../../walls/grants/flag_word.ts";
import type { Option } from "./options/option_kinds.ts";

/** A word that stands behind an option whose list follows `=` alone. */
export interface StrayList {
  /** The option as it was written. */
  written: string;
  word: string;
  /** The word surely belongs to the option: it looks like its kind, and like nothing else that may stand there. */
  isSure: boolean;
}

/** What else a word may be where it stands. */
export interface StrayPlace {
  /** The name of a tool, the program of a command, or another word. */
  slot: "tool" | "program" | "word";
  /** `--` follows, so that the words of a program begin behind it. */
  isMarked: boolean;
}

const HOST = /^(?:\*\.)?(?:[a-z0-9_-]+\.)+[a-z][a-z0-9-]*\.?(?::[\d,]+)?$/i;
const ADDRESS = /^(?:localhost|\d+\.\d+\.\d+\.\d+|\[[\da-f:]+\])(?::[\d,]+)?(?:\/\d+)?$/i;
const URL_WORD = /^https?:\/\/([^\s/]+)/i;
/** Such words are files, though there may be hosts of this name. */
const FILE_ENDING =
  /\.(?:md|txt|rst|jsonl?|ya?ml|toml|ini|cfg|conf|lock|xml|html?|css|csv|log|pdf|png|jpe?g|svg|[cm]?[jt]sx?|py|rb|rs|go|java|c|h|cpp|sh|bash|exe|out|\d+)$/i;
const PATH = /^(?:\.{1,2}$|\.{1,2}\/|\/|~)|\/|^\.[\w.-]+$/;
/** How the name of a tool is spelled, or of a tool in its set. */
const TOOL = /^\w[\w-]*(?:\/[\w-]+)?$/;

/** Looks at the word behind an option that has no value; `null` if it cannot be meant as its list. */
export function strayList(word: string, { written, option, place }: {
  written: string;
  option: Option;
  place: StrayPlace;
}): StrayList | null {
  if (option.kind !== "grant" && option.kind !== "names") return null;
  return { written, word, isSure: option.kind === "grant" && isSure(word, option.value ?? "", place) };
}

/** Says what to write instead. */
export function adviseList({ written, word }: StrayList, option: Option): string {
  const values = option.value === "HOSTS"
    ? splitValues(word).map((one) => URL_WORD.exec(one)?.[1] ?? one)
    : splitValues(word);
  const flag = showFlags([flagWord(written, values)]);
  return `write ${flag} (with =${option.kind === "names" ? "" : `; alone it ${saysAlone(written)}`})`;
}

function isSure(word: string, value: string, { slot, isMarked }: StrayPlace): boolean {
  if (/\s/.test(word) || /^[\w.-]+:?=/.test(word)) return false;
  if (slot === "tool" && TOOL.test(word)) return false;
  // What is executed is a path, too; without a mark nothing tells them apart.
  const mayBeProgram = slot === "program" && !isMarked;
  if (slot === "program" && isMarked) return true;
  const parts = splitValues(word);
  const isList = parts.length > 1 && parts.every((part) => part !== "");
  if (value === "HOSTS") return parts.every(isHost) || (isList && parts.some(isHost));
  if (value === "PORT") return /^\d{1,5}$/.test(word);
  if (value === "NAMES") return isList;
  return isList || (!mayBeProgram && PATH.test(word));
}

function isHost(word: string): boolean {
  if (URL_WORD.test(word) || ADDRESS.test(word)) return true;
  return HOST.test(word) && !FILE_ENDING.test(word);
}

const ALONE: Readonly<Record<string, string>> = {
  "--allow-read": "allows every path",
  "--allow-write": "allows every path",
  "--allow-net": "allows every host",
  "--allow-run": "allows every program",
  "--deny-read": "denies every path",
  "--deny-write": "denies every path",
  "--deny-net": "denies every host",
  "--deny-run": "denies every program",
  "--allow-private-net": "allows every private host",
  "--http": "means its own port",
};

function saysAlone(written: string): string {
  return ALONE[written] ?? "means everything";
}
