import { assertEquals } from "@std/assert";

import { readConsent, RememberedConsents, scopeOf, showScope } from "../../../../runtime/calls/consent.ts";
import { analyseCommand } from "../../../../runtime/programs/shell/analyse_command.ts";
import { entryOf } from "../../../support/manifest_entry.ts";

const SHELL = entryOf("a/shell", { needs: { run: "granted" } });
const WRITER = entryOf("a/write", { needs: { write: "granted" } });

/** What the consent to a command covers. */
async function scope(script: string) {
  const analysis = await analyseCommand({ script, shell: "bash" });
  const none = { targets: [], warnings: [], preview: null, error: null };
  return await scopeOf(SHELL, () => Promise.resolve({ ...none, analyses: [analysis] }));
}

Deno.test("a consent for the run covers a tool, and for one that starts programs only those", async () => {
  const consents = new RememberedConsents();
  const writer = await scopeOf(WRITER, () => Promise.reject(new Error("it starts no program")));
  assertEquals([showScope(writer!), consents.covers(writer)], ["a/write", false]);
  consents.add(writer!);
  assertEquals([consents.covers(writer), consents.knows("a/shell")], [true, false]);
  consents.add((await scope("git status && npm test"))!);
  assertEquals(showScope((await scope("git log | wc -l"))!), "a/shell with git, wc");
  const covered = ["git log", "npm install; git push", "cd x && git diff"];
  for (const script of covered) assertEquals(consents.covers(await scope(script)), true, script);
  const other = ["rm -rf x", "git log | sh", "git -c alias.x='!rm -rf .' x && rm y", "/tmp/git log"];
  for (const script of other) assertEquals(consents.covers(await scope(script)), false, script);
});

Deno.test("a consent to a tool whose only program the user named covers the tool", async () => {
  const unasked = () => Promise.reject(new Error("its program is known"));
  assertEquals(await scopeOf(SHELL, unasked, { startsOwn: true }), { tool: "a/shell", programs: null });
});

Deno.test("a consent to a command that is not understood is for this call alone", async () => {
  for (const script of ["$x", 'eval "$(cat a)"']) {
    assertEquals(await scope(script), null, script);
    assertEquals(new RememberedConsents().covers(await scope(script)), false);
  }
});

Deno.test("readConsent() takes the words for a yes, and all else for a no", () => {
  const agreed = (given: unknown) => readConsent(given as boolean).agreed;
  assertEquals([true, "once", "run"].map(agreed), [true, true, true]);
  const other = [false, "yes", "", "always", 1, null, undefined, {}, [], { yes: true }, new Error("x")];
  assertEquals(other.map(agreed), other.map(() => false));
  const always = (["run", "once", true] as const).map((given) => readConsent(given).always);
  assertEquals(always, [true, false, false]);
  assertEquals(readConsent({ no: " not today\n" }), { agreed: false, always: false, reason: "not today" });
});
