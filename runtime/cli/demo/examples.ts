import { dirname, join } from "@std/path";

// Each path is written out, so that the binary holds the text.
const EXAMPLES: Readonly<Record<string, () => Promise<{ default: string }>>> = {
  ".env": () => import("../../../scripts/demo/.env", { with: { type: "text" } }),
  "agent.jsonl": () => import("../../../scripts/demo/agent.jsonl", { with: { type: "text" } }),
  "calls.jsonl": () => import("../../../scripts/demo/calls.jsonl", { with: { type: "text" } }),
  "notes.md": () => import("../../../scripts/demo/notes.md", { with: { type: "text" } }),
  "orders.csv": () => import("../../../scripts/demo/orders.csv", { with: { type: "text" } }),
  "src/cart.ts": () => import("../../../scripts/demo/src/cart.ts", { with: { type: "text" } }),
  "src/price.ts": () => import("../../../scripts/demo/src/price.ts", { with: { type: "text" } }),
};

/** Writes the examples of the demo into a folder, over what is there. Needs `write` of the folder. */
export async function writeExamples(folder: string): Promise<void> {
  for (const [name, load] of Object.entries(EXAMPLES)) {
    const path = join(folder, name);
    await Deno.mkdir(dirname(path), { recursive: true });
    await Deno.writeTextFile(path, (await load()).default);
  }
}
