import type { Function as FunctionNode, SyntaxNode } from "unbash";

const MAX_NODES = 20_000;
// The well-known spellings. Shells cannot even parse some of them.
const FORK_BOMB = /([^\s(){}|&;]{1,40})\(\)\{\1\|\1&\}/;

/** Says whether a function starts itself in the background, or more than once in one pipeline. */
export function multiplies(node: FunctionNode, library: typeof import("unbash")): boolean {
  const name = node.name.value;
  const stack: { node: SyntaxNode; background: boolean }[] = [{ node: node.body, background: false }];
  let visited = 0;
  for (let next = stack.pop(); next && visited < MAX_NODES; next = stack.pop()) {
    visited++;
    const { node: inner, background } = next;
    if (inner.type === "Command" && inner.name?.value === name && background) return true;
    if (inner.type === "Pipeline" && inner.commands.filter((stage) => calls(stage, name)).length > 1) {
      return true;
    }
    const isBackground = background || (inner.type === "Statement" && inner.background === true);
    library.forEachChild(inner, (child) => stack.push({ node: child, background: isBackground }));
  }
  return false;
}

/** Returns where a text looks like the well-known function that starts itself twice, -1 if it does not. */
export function findForkBomb(text: string): number {
  return text.replaceAll(/\s+/g, "").search(FORK_BOMB);
}

function calls(node: SyntaxNode, name: string): boolean {
  return node.type === "Command" && node.name?.value === name;
}
