import { assertEquals } from "@std/assert";

import { SANDBOXES } from "../../support/box.ts";
import { makeScene } from "../../support/cli/scene.ts";

/** Says which files it can import; nobody can know their names before it runs. */
const TOOL = `
import { defineTool } from "bulkhead";
import * as z from "zod";

export default defineTool({
  name: "imports",
  description: "Import files.",
  input: z.object({ root: z.string() }),
  async run({ root }) {
    const found: string[] = [];
    await import("file://" + root + "/a.js").then(() => found.push("code"), () => {});
    for (const [name, type] of [["b.json", "json"], ["c", "text"], ["c", "bytes"]]) {
      await import("file://" + root + "/" + name, { with: { type } }).then(() => found.push(type!), () => {});
    }
    return found;
  },
});
`;
const SAID = "can read all your files";

const isBinary = Boolean(Deno.env.get("BULKHEAD_BIN"));

Deno.test("a tool of one's own imports no files; without a sandbox the compiled program cannot prevent it, and says so", async () => {
  using scene = makeScene({ "t.ts": TOOL, "a.js": "export default 1", "b.json": "{}", "c": "canary" });
  for (const sandbox of SANDBOXES) {
    const flags = ["--tools", scene.at("t.ts"), "--sandbox", sandbox];
    const { stdout, stderr } = await scene.run(["call", "imports", `root=${scene.root}`, ...flags]);
    const isOpen = isBinary && sandbox === "off";
    const expected = isOpen ? ["code", "json", "text", "bytes"] : [];
    assertEquals([JSON.parse(stdout), stderr.includes(SAID)], [expected, isOpen], stderr);
  }
});
