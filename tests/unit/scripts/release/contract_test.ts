import { assertEquals, assertMatch, assertThrows } from "@std/assert";
import { join } from "@std/path";
import * as z from "zod";

import { checkVersion, versionFault } from "../../../../scripts/release/contract.ts";
import { ToolError } from "../../../../schemas/error.ts";
import { makeLock } from "../../../../schemas/json/lock.ts";
import { entryOf, schemaOf } from "../../../support/manifest_entry.ts";

const INPUT = z.object({ path: z.string(), limit: z.int().default(3) });
const lockOf = (input: z.ZodType, ...more: string[]) =>
  makeLock(["a/T", ...more].map((name) => entryOf(name, { input_schema: schemaOf(input) })));
const LAST = lockOf(INPUT);

/** What changed, and the least version after 1.4.2 and after 0.4.2. */
const CASES: [what: string, now: ReturnType<typeof lockOf>, stable: string, early: string][] = [
  ["nothing", LAST, "1.4.3", "0.4.3"],
  ["a tool more", lockOf(INPUT, "a/U"), "1.5.0", "0.4.3"],
  ["an optional argument more", lockOf(INPUT.extend({ glob: z.string().optional() })), "1.5.0", "0.4.3"],
  ["a required argument more", lockOf(INPUT.extend({ glob: z.string() })), "2.0.0", "0.5.0"],
  ["an argument less", lockOf(INPUT.omit({ limit: true })), "2.0.0", "0.5.0"],
  ["another default", lockOf(INPUT.extend({ limit: z.int().default(4) })), "2.0.0", "0.5.0"],
  ["a tool less", makeLock([]), "2.0.0", "0.5.0"],
];

Deno.test("versionFault() asks for the version that a change of the tools needs", () => {
  for (const [what, lock, stable, early] of CASES) {
    for (const [since, least] of [["1.4.2", stable], ["0.4.2", early]] as const) {
      const fault = (version: string) => versionFault({ version: since, lock: LAST }, { version, lock });
      assertEquals(fault(least), null, `${what} after ${since}`);
      const before = fault(since) ?? "";
      assertMatch(
        before,
        new RegExp(`^Version ${since} is too small after ${since}: the least is ${least}`),
        what,
      );
    }
  }
  const told = versionFault({ version: "1.4.2", lock: LAST }, { version: "1.4.3", lock: makeLock([]) });
  assertEquals(told?.split("\n")[1], "  a/T was removed");
});

Deno.test("checkVersion() compares with the lock of the last release, and wants a chapter of the changes", async () => {
  const root = await Deno.makeTempDir({ prefix: "bulkhead-contract-" });
  try {
    const write = (name: string, text: string) => Deno.writeTextFileSync(join(root, name), text);
    const now = { root, version: "1.4.3", lock: lockOf(INPUT.omit({ limit: true })) };
    const check = (previous: string | null = null) => checkVersion(now, { previous });
    const refuses = (told: string, previous?: string) => assertThrows(() => check(previous), ToolError, told);
    Deno.mkdirSync(join(root, "scripts/release"), { recursive: true });
    write("scripts/release/CHANGELOG.md", "# Changes\n\n## 1.4.30\n");
    refuses('add a chapter "## 1.4.3"');
    write("scripts/release/CHANGELOG.md", "# Changes\n\n## 1.4.3\n\nBetter.\n");
    // Before the first release there is nothing to compare with.
    check();
    refuses("none.json is not there", join(root, "none.json"));
    write("same.json", JSON.stringify({ release: "1.4.2", ...now.lock }));
    check(join(root, "same.json"));
    const last = JSON.stringify({ release: "1.4.2", ...LAST });
    write("last.json", last);
    refuses("Version 1.4.3 is too small after 1.4.2: the least is 2.0.0", join(root, "last.json"));
    write("scripts/release/tools.lock.json", last);
    refuses("Version 1.4.3 is too small after 1.4.2: the least is 2.0.0");
    write("scripts/release/tools.lock.json", JSON.stringify(LAST));
    refuses("is not the tools.lock.json of a release");
  } finally {
    await Deno.remove(root, { recursive: true });
  }
});
