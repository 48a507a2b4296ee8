import type { ParsedScript, SyntaxNode, Word } from "unbash";

/** What is known of a shell while its text is read. */
export interface Scope {
  /** Variables whose text is known and the same everywhere after this point. */
  variables: Map<string, string>;
  /** Variables that may change; `"*"` stands for all. */
  changing: Set<string>;
  functions: Set<string>;
  aliases: Map<string, string>;
}

type Library = typeof import("unbash");

const MAX_NODES = 400_000;
const MAX_VALUE = 4096;
const NAME = /^[A-Za-z_]\w*/;
const ASSIGNING_BUILTINS = new Set([
  "read",
  "mapfile",
  "readarray",
  "getopts",
  "unset",
  "declare",
  "typeset",
  "local",
  "export",
  "readonly",
  "let",
  "printf",
]);

/** Makes the scope of a new shell. */
export function newScope(): Scope {
  return { variables: new Map(), changing: new Set(), functions: new Set(), aliases: new Map() };
}

/** Notes which variables a text may change, before it is read in order. */
export function noteChanges(scope: Scope, script: ParsedScript, library: Library): void {
  const texts = new Map<string, string>();
  const inherited = new Set(scope.variables.keys());
  let nodes = 0;
  const stack: SyntaxNode[] = [script];
  for (let node = stack.pop(); node; node = stack.pop()) {
    if (++nodes > MAX_NODES) {
      scope.changing.add("*");
      return;
    }
    for (const name of namesChangedBy(node)) scope.changing.add(name);
    if (node.type === "Assignment") {
      const other = texts.get(node.name);
      if (node.append || node.index || inherited.has(node.name)) scope.changing.add(node.name);
      else if (other !== undefined && other !== node.text) scope.changing.add(node.name);
      texts.set(node.name, node.text);
    }
    library.forEachChild(node, (child) => stack.push(child));
  }
}

/** Keeps the value of a variable from now on. */
export function setVariable(scope: Scope, name: string, value: string | null): void {
  if (value === null || value.length > MAX_VALUE) scope.variables.delete(name);
  else scope.variables.set(name, value);
}

/** Returns the value of a variable, `null` if it is unknown. The home folder is `~`. */
export function valueOf(scope: Scope, name: string): string | null {
  if (scope.changing.has("*") || scope.changing.has(name)) return null;
  const value = scope.variables.get(name);
  if (value !== undefined) return value;
  if (name === "HOME") return "~";
  return name === "IFS" ? " \t\n" : null;
}

function namesChangedBy(node: SyntaxNode): string[] {
  switch (node.type) {
    case "For":
    case "Select":
      return [node.name.value];
    case "Coproc":
      return [node.name?.value ?? "COPROC"];
    case "ParameterExpansion":
      return node.operation?.type === "Default" && node.operation.operator.endsWith("=")
        ? [node.parameter]
        : [];
    case "ArithmeticBinary":
      return node.operator.endsWith("=") && node.left.type === "ArithmeticWord" ? [node.left.value] : [];
    case "ArithmeticUnary":
      return node.operand.type === "ArithmeticWord" ? [node.operand.value] : [];
    case "Command": {
      if (!node.name || !ASSIGNING_BUILTINS.has(node.name.value)) return [];
      if (node.name.value === "printf" && node.args[0]?.text !== "-v") return [];
      return node.args.flatMap((word) => word.type === "Word" ? namesIn(word) : []);
    }
    default:
      return [];
  }
}

function namesIn(word: Word): string[] {
  if (word.value.includes("$") || word.value.includes("`")) return ["*"];
  const name = NAME.exec(word.value)?.[0];
  return name === undefined ? [] : [name];
}
