import type { HereDoc, Redirect, Redirection } from "unbash";

import { expandWord, type WalkScript, walkSubstitutions, type WordPlace } from "./expand_word.ts";
import type { Analyser, Stdin } from "./structure.ts";

/** What the redirections of a command do. */
export interface Redirects {
  writes: (string | null)[];
  /** `undefined` if stdin does not change. */
  stdin: Stdin | undefined;
}

const WRITING = new Set([">", ">>", ">|", "<>", "&>", "&>>", ">&"]);
const DESCRIPTOR = /^(?:\d+-?|-)$/;
const NO_FILES = new Set([
  "/dev/null",
  "/dev/stdin",
  "/dev/stdout",
  "/dev/stderr",
  "/dev/tty",
  "/dev/full",
  "/dev/zero",
]);
const NO_FILE = /^\/dev\/fd\/\d+$/;
const SOCKET = /\/dev\/(?:tcp|udp)\//;

/** Reads redirections: the files that they write, and what they put on stdin. */
export function readRedirects(
  redirects: readonly Redirection[],
  expander: { analyser: Analyser; place: WordPlace; walk: WalkScript },
): Redirects {
  const result: Redirects = { writes: [], stdin: undefined };
  for (const redirect of redirects) {
    if (redirect.type === "HereDoc") result.stdin = readHereDoc(redirect, expander);
    else if (redirect.type === "HereString") {
      const words = redirect.target ? expandWord(redirect.target, expander) : [];
      const isKnown = words.every(({ value }) => value !== null);
      result.stdin = {
        text: isKnown ? words.map(({ value }) => value).join(" ") : null,
        printers: words.flatMap(({ printers }) => printers),
      };
    } else readFile(redirect, expander, result);
  }
  return result;
}

function readHereDoc(
  node: HereDoc,
  expander: { analyser: Analyser; place: WordPlace; walk: WalkScript },
): Stdin {
  if (!node.body.parts) return { text: node.body.text, printers: [] };
  const { printers = [] } = walkSubstitutions(node.body, expander);
  const isKnown = node.body.parts.every(({ type }) => type === "Literal");
  const text = node.body.parts.map((part) => part.type === "Literal" ? part.value : "").join("");
  return { text: isKnown ? text : null, printers };
}

function readFile(
  node: Redirect,
  expander: { analyser: Analyser; place: WordPlace; walk: WalkScript },
  result: Redirects,
): void {
  if (!node.target) return;
  const words = expandWord(node.target, expander);
  const word = words.length === 1 ? words[0] : undefined;
  const value = word?.isPattern ? null : word?.value ?? null;
  const { opened } = expander.analyser.structure;
  // The other end of a socket may be unknown, but the text shows that it is a socket.
  opened.push(value ?? node.target.text);
  if (node.operator.startsWith("<")) {
    const descriptor = node.descriptor?.type === "FileDescriptor" ? node.descriptor.value : 0;
    if (descriptor === 0) result.stdin = { text: null, printers: word?.printers ?? [] };
  }
  if (!WRITING.has(node.operator) || SOCKET.test(value ?? node.target.text)) return;
  if (node.operator === ">&" && value !== null && DESCRIPTOR.test(value)) return;
  if (value !== null && (NO_FILES.has(value) || NO_FILE.test(value))) return;
  result.writes.push(value);
}
