import { assertEquals } from "@std/assert";

import { endingLines } from "../../../../../runtime/cli/show/run_lines.ts";

Deno.test(
  "endingLines() tells what was changed and refused, and how to go on",
  { permissions: "none" },
  () => {
    const changed = [
      { path: "a.txt", status: "modified", added: 2, removed: 1 },
      { path: "b\n.txt", status: "added", added: 3, removed: 0 },
      { path: "c.png", status: "deleted", added: null, removed: null },
    ] as const;
    const read = { tool: "h/Read", flags: ["--allow-read=/my x", "--allow-secrets=/my x"], message: "" };
    const write = { tool: "h/Write", flags: ["--allow-read=/y"], message: "" };
    const bash = { tool: "h/Bash", flags: [], message: "" };
    assertEquals(endingLines({ changed, refused: [read, write], resume: "bulkhead run --resume s1 '…'" }), [
      "changed a.txt +2 -1",
      "changed b\\n.txt (new) +3",
      "changed c.png (deleted)",
      "refused Read, Write; to allow it: '--allow-read=/my x,/y' '--allow-secrets=/my x'",
      "go on   bulkhead run --resume s1 '…'",
    ]);
    assertEquals(endingLines({ refused: [bash] }), ["refused Bash; no flag allows it"]);
    assertEquals(endingLines({ refused: [bash, write] }), [
      "refused Bash, Write; to allow what a flag can allow: --allow-read=/y",
    ]);
    const many = Array.from({ length: 12 }, (_, n) => ({ ...changed[0], path: `${n}` }));
    assertEquals(endingLines({ changed: many }).at(-1), "changed 2 more files, see --json");
    assertEquals(endingLines({}), []);
  },
);
