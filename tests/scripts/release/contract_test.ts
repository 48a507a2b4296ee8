import { assertEquals, assertMatch } from "@std/assert";
import * as z from "zod";

import { versionFault } from "../../../scripts/release/contract.ts";
import { makeLock } from "../../../schemas/json/lock.ts";
import { entryOf, schemaOf } from "../../support/manifest_entry.ts";

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
