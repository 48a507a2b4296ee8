import { assertEquals } from "@std/assert";

import { gitPlaceOf } from "../../../../../runtime/walls/git/git_folder.ts";

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
