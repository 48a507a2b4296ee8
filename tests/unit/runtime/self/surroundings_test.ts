import { assertEquals, assertThrows } from "@std/assert";

import { ToolError } from "../../../../schemas/error.ts";
import {
  checkArgv,
  currentFolder,
  readVariable,
  readVariables,
} from "../../../../runtime/self/surroundings.ts";

const invalid = (): never => {
  throw new Deno.errors.InvalidData("not valid unicode");
};

Deno.test("readVariables() names a known variable that is not UTF-8, and passes over others", () => {
  const read = (name: string) => ["HOME", "OTHER"].includes(name) ? invalid() : undefined;
  const error = assertThrows(() => readVariables({ list: () => ({}), read }), ToolError);
  assertEquals([error.code, error.details.variable], ["configuration", "HOME"]);
  assertEquals(error.message.includes("unset HOME"), true);
  // One that is there was decoded.
  assertEquals(readVariables({ list: () => ({ HOME: "/h" }), read }), { HOME: "/h" });
  assertEquals(assertThrows(() => readVariable("OTHER", read), ToolError).code, "configuration");
});

Deno.test("currentFolder() is a clear error where its path is not UTF-8, or it is gone", () => {
  const gone = () => {
    throw new Deno.errors.NotFound("No such file or directory");
  };
  for (const [read, why] of [[invalid, "not UTF-8"], [gone, "it is gone"]] as const) {
    const error = assertThrows(() => currentFolder(read), ToolError, why);
    assertEquals(error.code, "configuration");
  }
  assertEquals(currentFolder(() => "/x"), "/x");
});

Deno.test("checkArgv() refuses words that are not UTF-8, by their place", () => {
  checkArgv(["call", "Read", "ä"]);
  const error = assertThrows(() => checkArgv(["call", "Read", "a\ufffd"]), ToolError, "word 3 ");
  assertEquals(error.code, "invalid_input");
});
