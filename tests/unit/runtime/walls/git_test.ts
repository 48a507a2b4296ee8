import { assertEquals } from "@std/assert";
import { join } from "@std/path";

import { gitPlaceOf } from "../../../../runtime/walls/git/git_folder.ts";
import { withoutLogins } from "../../../../runtime/walls/files/logins.ts";
import { listed } from "../../../support/listed.ts";

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
const PLAIN = listed(
  "url = https://git.test/a.git, url = git@git.test:group/a.git, url = ssh://git@git.test:22/a.git",
  "url = https://somebody@git.test/a.git, url = https://git.test/a@b:c@d.git, email = me@git.test",
);

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

function placeOf(path: string, ...there: string[]) {
  const place = gitPlaceOf(path, (at) => there.some((one) => one === at || one.startsWith(`${at}/`)));
  return place && `${place.isNew ? "new " : ""}${place.folder}: ${place.part}`;
}

Deno.test("gitPlaceOf() finds the file that completes a git folder, in any order", () => {
  const parts = ["/w/HEAD", "/w/objects/x", "/w/refs/x"];
  for (const last of parts) {
    const others = parts.filter((part) => part !== last);
    assertEquals(placeOf(last, ...others), `new /w: ${last.slice(3)}`);
    assertEquals(placeOf(last, others[0]!), null);
  }
  assertEquals(placeOf("/w/a/commondir", "/w/a/HEAD"), "new /w/a: commondir");
  assertEquals(placeOf("/w/a/HEAD", "/w/a/commondir"), "new /w/a: HEAD");
  assertEquals(placeOf("/w/a/head", "/w/a/commondir"), "new /w/a: head");
});

Deno.test("gitPlaceOf() finds git's own files in a git folder of any name", () => {
  const repository = ["/w/b/HEAD", "/w/b/objects/x", "/w/b/refs/x"];
  for (
    const part of ["HEAD", "config", "hooks/pre-commit", "info/attributes", "refs/a/b", "sequencer/todo"]
  ) {
    assertEquals(placeOf(`/w/b/${part}`, ...repository), `/w/b: ${part}`);
  }
  for (const part of ["info/exclude", "description", "src/config.ts"]) {
    assertEquals(placeOf(`/w/b/${part}`, ...repository), null);
  }
  assertEquals(placeOf("/w/src/hooks/config", ...repository), null);
});
