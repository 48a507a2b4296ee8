import { assertEquals } from "@std/assert";
import { join } from "@std/path";

import { withoutLogins } from "../../../../../runtime/walls/git/logins.ts";

/** Lines of settings, and what is left of them. */
const LINES: readonly (readonly [string, string])[] = [
  ["url = https://me:pass@git.test/a.git", "url = https://git.test/a.git"],
  ["url = https://:pass@git.test/a.git", "url = https://git.test/a.git"],
  ["url = https://me:p%40ss@git.test:8443/a.git", "url = https://git.test:8443/a.git"],
  ["url = https://ghp_0123456789abcdef@git.test/a.git", "url = https://git.test/a.git"],
  ["extraheader = AUTHORIZATION: basic abc=", "extraheader = AUTHORIZATION:"],
  ["proxy = http://me:pass@proxy.test:3128", "proxy = http://proxy.test:3128"],
];
/** Lines that log in nowhere. */
const PLAIN = [
  "url = https://git.test/a.git",
  "url = git@git.test:group/a.git",
  "url = ssh://git@git.test:22/a.git",
  "url = https://somebody@git.test/a.git",
  "url = https://git.test/a@b:c@d.git",
  "email = me@git.test",
];

Deno.test("withoutLogins() takes passwords, tokens and headers out of settings of git", () => {
  const folder = Deno.makeTempDirSync();
  const path = join(folder, "config");
  for (const [line, left] of LINES) {
    Deno.writeTextFileSync(path, `[a]\n\t${line}\n[b]\n`);
    assertEquals(withoutLogins(path), `[a]\n\t${left}\n[b]\n`);
  }
  Deno.removeSync(folder, { recursive: true });
});

Deno.test("withoutLogins() leaves what logs in nowhere, and other files", () => {
  const folder = Deno.makeTempDirSync();
  for (const line of PLAIN) {
    Deno.writeTextFileSync(join(folder, "config"), line);
    assertEquals(withoutLogins(join(folder, "config")), null, line);
  }
  Deno.writeTextFileSync(join(folder, "notes"), LINES[0]![0]);
  assertEquals(withoutLogins(join(folder, "notes")), null);
  assertEquals(withoutLogins(join(folder, "missing", "config")), null);
  assertEquals(withoutLogins(folder), null);
  Deno.removeSync(folder, { recursive: true });
});
