import { assertEquals } from "@std/assert";

import { widenedPolicy } from "../../../../runtime/agent/resume_settings.ts";
import { type NamedPolicy, namedPolicy } from "../../../../runtime/walls/grants/policies.ts";
import type { SessionPolicy } from "../../../../schemas/agent/session_settings.ts";
import type { OwnPolicy } from "../../../../schemas/config.ts";

/** What a session keeps of a policy. */
function kept({ base, commands, without, shareNet, filter }: NamedPolicy): SessionPolicy {
  const { name, allow, deny } = commands;
  return {
    name,
    base,
    allow,
    deny,
    without,
    share_net: shareNet,
    named: true,
    ...(filter && { filter: true }),
  };
}

/** Whether going on under the second policy is told as allowing more than the first. */
const isWider = (before: OwnPolicy, now: OwnPolicy) =>
  widenedPolicy(kept(namedPolicy("own", before)), namedPolicy("own", now)).length > 0;

Deno.test("widenedPolicy() tells whatever lets a session do more than it was begun with", {
  permissions: "none",
}, () => {
  const filter = () => {};
  const strict: OwnPolicy = {
    base: "read-only",
    allow: ["git", "ls"],
    deny: ["git push"],
    net: false,
    filter,
  };
  assertEquals(isWider(strict, strict), false);
  const looser: Partial<OwnPolicy>[] = [
    { base: "coder" },
    { deny: [] },
    { allow: [] },
    { allow: ["git", "ls", "rm"] },
    { net: true },
    { filter: undefined as never },
  ];
  for (const change of looser) {
    const now = { ...strict, ...change };
    assertEquals([isWider(strict, now), isWider(now, strict)], [true, false], JSON.stringify(change));
  }
  assertEquals(
    isWider(strict, { ...strict, base: "read-only-no-net", allow: ["git"], deny: ["git push", "ls"] }),
    false,
  );
  assertEquals(isWider({ base: "coder", net: false }, { base: "coder" }), true);
  assertEquals(widenedPolicy(undefined, namedPolicy("own", { base: "coder" })), []);
});
