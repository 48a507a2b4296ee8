import type { SyntaxNode, Word as WordNode, WordPart } from "unbash";

import type { SimpleCommand } from "../../../../schemas/command.ts";
import { splitBraces } from "./split_braces.ts";
import { valueOf } from "./scope.ts";
import type { Analyser, Surroundings, Syntax, Word } from "./structure.ts";

/** A command around a word: where it runs, and who reads what the word's commands print. */
export interface WordPlace extends Surroundings {
  /** Commands of `>(…)` read what the command around the word prints. */
  readers: SimpleCommand[][];
}

/** Takes the script of a substitution apart; the caller passes this in. */
export type WalkScript = (part: SubstitutionPart, surroundings: Surroundings) => void;

type SubstitutionPart = Extract<
  SyntaxNode,
  { type: "CommandExpansion" | "ProcessSubstitution" | "ArithmeticCommandExpansion" }
>;

interface Piece {
  value: string | null;
  /** It came from a variable outside quotes, so that blanks in it separate words. */
  splits?: boolean;
  quoted?: boolean;
  isPattern?: boolean;
  syntaxes?: readonly Syntax[];
  printers?: readonly SimpleCommand[];
}

interface Expander {
  analyser: Analyser;
  place: WordPlace;
  walk: WalkScript;
}

const MAX_ALTERNATIVES = 64;
const BLANKS = /[ \t\n]+/;
const UNKNOWN: Piece = { value: null };

/** Expands a word as a shell does, as far as its parts are known. Gives any number of words, also zero. */
export function expandWord(node: WordNode, expander: Expander): Word[] {
  return alternatives(node, expander).flatMap((pieces) => joinPieces(pieces, node.text));
}

/** Walks through all substitutions below a node. */
export function walkSubstitutions(node: SyntaxNode, expander: Expander): Piece {
  const found: Piece[] = [];
  const stack: SyntaxNode[] = [node];
  for (let next = stack.pop(); next; next = stack.pop()) {
    if (isSubstitution(next)) found.push(substitute(next, expander));
    else stack.push(...childrenOf(next, expander.analyser).reverse());
  }
  return merge(found);
}

function childrenOf(node: SyntaxNode, { library }: Analyser): SyntaxNode[] {
  const children: SyntaxNode[] = [];
  library.forEachChild(node, (child) => children.push(child));
  return children;
}

function isSubstitution(node: SyntaxNode): node is SubstitutionPart {
  return node.type === "CommandExpansion" || node.type === "ProcessSubstitution" ||
    node.type === "ArithmeticCommandExpansion";
}

/** Expands braces, which come before everything else. */
function alternatives(node: WordNode, expander: Expander): Piece[][] {
  if (!node.parts) return [[{ value: node.value, quoted: node.text !== node.value || node.text === "" }]];
  let words: Piece[][] = [[]];
  for (const part of node.parts) {
    if (part.type !== "BraceExpansion") {
      const piece = expandPart(part, expander);
      for (const word of words) word.push(piece);
      continue;
    }
    const options = expandBraces(part.text, part, expander);
    const isTooMuch = words.length * options.length > MAX_ALTERNATIVES;
    words = words.flatMap((word) =>
      (isTooMuch ? [[UNKNOWN]] : options).map((option) => [...word, ...option])
    );
  }
  return words;
}

function expandBraces(text: string, part: WordPart, expander: Expander): Piece[][] {
  const texts = splitBraces(text);
  if (!texts) return [[{ ...walkSubstitutions(part, expander), value: null }]];
  return texts.flatMap((inner) => {
    if (inner === "") return [[]];
    const statement = expander.analyser.parse(`: ${inner}`)?.commands[0]?.command;
    const word = statement?.type === "Command" ? statement.suffix[0] : undefined;
    return word?.type === "Word" && word.text === inner ? alternatives(word, expander) : [[UNKNOWN]];
  });
}

function expandPart(part: WordPart, expander: Expander): Piece {
  switch (part.type) {
    case "Literal":
      return { value: part.value, quoted: part.text !== part.value };
    case "SingleQuoted":
    case "AnsiCQuoted":
      return { value: part.value, quoted: true };
    case "Glob":
    case "ExtendedGlob": {
      const inner = walkSubstitutions(part, expander);
      return { ...inner, value: inner.value === null ? null : part.text, isPattern: true };
    }
    case "DoubleQuoted":
    case "LocaleString":
      return {
        ...merge(part.parts.map((child) => expandPart(child, expander))),
        quoted: true,
        splits: false,
      };
    case "SimpleExpansion":
      return { value: valueOf(expander.place.scope, part.text.slice(1)), splits: true };
    case "ParameterExpansion": {
      const inner = walkSubstitutions(part, expander);
      const isPlain = !part.prefix && !part.index && !part.operation;
      return {
        ...inner,
        value: isPlain ? valueOf(expander.place.scope, part.parameter) : null,
        splits: true,
      };
    }
    case "ArithmeticExpansion":
      return { ...walkSubstitutions(part, expander), value: null };
    case "CommandExpansion":
    case "ProcessSubstitution":
      return substitute(part, expander);
    case "BraceExpansion":
      return { ...walkSubstitutions(part, expander), value: null };
  }
}

function substitute(part: SubstitutionPart, { analyser, place, walk }: Expander): Piece {
  const { structure } = analyser;
  const before = structure.commands.length;
  const inner = { ...place, assigns: [], writes: [], depth: place.depth + 1, isCertain: false };
  if (part.type === "ProcessSubstitution" && part.operator === ">") {
    const printers = [...place.stdin?.printers ?? []];
    place.readers.push(printers);
    walk(part, { ...inner, stdin: { text: null, printers } });
    return { value: null };
  }
  walk(part, inner);
  const printers = structure.commands.slice(before);
  if (part.type === "ProcessSubstitution") return { value: "/dev/fd/63", printers };
  const syntax: Syntax = part.text.startsWith("`") ? "backtick" : "dollar-paren";
  structure.substitutions.push({ syntax, place: "word" });
  return { value: null, syntaxes: [syntax], printers };
}

/** Makes one piece of several pieces. */
function merge(pieces: readonly Piece[]): Piece {
  const isKnown = pieces.every(({ value }) => value !== null);
  return {
    value: isKnown ? pieces.map(({ value }) => value).join("") : null,
    syntaxes: pieces.flatMap(({ syntaxes = [] }) => syntaxes),
    printers: pieces.flatMap(({ printers = [] }) => printers),
  };
}

/** Joins pieces to words, separated where a variable held blanks. */
function joinPieces(pieces: readonly Piece[], text: string): Word[] {
  const groups: Piece[][] = [[]];
  for (const piece of pieces) {
    if (!piece.splits || piece.value === null) {
      groups.at(-1)!.push(piece);
      continue;
    }
    const [first = "", ...others] = piece.value.split(BLANKS);
    groups.at(-1)!.push({ ...piece, value: first });
    for (const other of others) groups.push([{ ...piece, value: other }]);
  }
  return groups.filter(isWord).map((group) => makeWord(group, text));
}

function isWord(pieces: readonly Piece[]): boolean {
  return pieces.some(({ value, quoted }) => quoted || value !== "");
}

function makeWord(pieces: readonly Piece[], text: string): Word {
  const { value, syntaxes = [], printers = [] } = merge(pieces);
  const firstUnknown = pieces.findIndex((piece) => piece.value === null);
  const known = firstUnknown < 0 ? pieces : pieces.slice(0, firstUnknown);
  const prefix = known.map((piece) => piece.value).join("");
  const isPattern = pieces.some((piece) => piece.isPattern);
  return { value, text, prefix, isPattern, syntaxes, printers };
}
