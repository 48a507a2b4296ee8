import { assertEquals } from "@std/assert";

import {
  libraryRules,
  literalFilter,
  pathsAbove,
  profileText,
  SANDBOX_EXEC,
  seatbeltRule,
  subpathFilter,
  textFilter,
  underSeatbelt,
} from "../../../../../runtime/walls/box/seatbelt_rules.ts";
import { readProfile } from "../../../../support/walls/seatbelt_profile.ts";

Deno.test("seatbeltRule() makes no rule without a filter, which would hold for everything", () => {
  assertEquals(seatbeltRule("allow file-read*", []), "");
  assertEquals(seatbeltRule("allow file-read*", ["(a)", "(b)", "(a)"]), "(allow file-read* (a) (b))");
});

Deno.test("profileText() denies first, and leaves empty rules out", () => {
  const rule = "(allow signal (target self))";
  assertEquals(profileText(["", rule, ""]), `(version 1)\n(deny default)\n${rule}\n`);
});

Deno.test("filters keep a text a text", () => {
  assertEquals(literalFilter('/a"b'), '(literal "/a\\"b")');
  assertEquals(subpathFilter("/a\\b"), '(subpath "/a\\\\b")');
  assertEquals(textFilter("global-name", "a\nb"), '(global-name "a\\x0ab")');
});

Deno.test("libraryRules() let every process have the libraries, and nothing of the homes by their second name", () => {
  const { decide } = readProfile(profileText(libraryRules()));
  assertEquals(decide("file-read-data", "/System/Library/a"), "allow");
  assertEquals(decide("file-map-executable", "/usr/lib/libSystem.B.dylib"), "allow");
  assertEquals(decide("file-read-data", "/System/Volumes/Data/Users/me/a"), "deny");
  assertEquals(decide("file-map-executable", "/System/Volumes/Data/Users/me/a"), "deny");
  assertEquals(decide("file-read-metadata", "/System/Volumes/Data/Users/me/a"), "deny");
  assertEquals(decide("file-read-data", "/System/Volumes/Data/private/a"), "deny");
  assertEquals(decide("file-write-data", "/usr/lib/libSystem.B.dylib"), "deny");
});

Deno.test("pathsAbove() returns each folder above once, without the root", () => {
  assertEquals(pathsAbove(["/a/b/c", "/a/d", "/e"]), ["/a", "/a/b"]);
});

Deno.test("underSeatbelt() puts the profile before the words", () => {
  assertEquals(underSeatbelt("(version 1)", ["/opt/x", "-p"]), [
    SANDBOX_EXEC,
    "-p",
    "(version 1)",
    "/opt/x",
    "-p",
  ]);
});
