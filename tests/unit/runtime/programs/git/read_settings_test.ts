import { assertEquals } from "@std/assert";
import { join } from "@std/path";

import { readGitSettings } from "../../../../../runtime/programs/git/read_settings.ts";
import { programTest } from "../../../../support/needed_programs.ts";

const list = (text: string) =>
  readGitSettings(text).map(({ section, subsection, name, value }) =>
    [section, ...subsection === null ? [] : [subsection], name].join(".") +
    (value === null ? "" : `\n${value}`)
  );

Deno.test("readGitSettings() reads quotes, escapes, comments and lines that go on", () => {
  const text = String.raw`
[core] editor = vim ; mine
	hooksPath = "a b" c\
 d # no
[Filter "My \"x\""]
	CLEAN="one ; two"
[alias.old] X = !sh
[bare] flag
`;
  assertEquals(list(text), [
    "core.editor\nvim",
    "core.hookspath\na b c d",
    'filter.My "x".clean\none ; two',
    "alias.old.x\n!sh",
    "bare.flag",
  ]);
});

Deno.test("readGitSettings() goes on after a line that git would not understand", () => {
  assertEquals(list('[core\n[user] name = "x\n=\n1\n[user]\n\tname = y\n'), ["user.name\ny"]);
});

programTest("readGitSettings() reads what git reads", ["git"], async () => {
  const folder = Deno.makeTempDirSync();
  try {
    let compared = 0;
    for (let turn = 0; turn < 150; turn++) {
      const text = randomSettings();
      const file = join(folder, "config");
      Deno.writeTextFileSync(file, text);
      const { success, stdout } = await new Deno.Command("git", {
        args: ["config", "--file", file, "--no-includes", "--list", "-z"],
        clearEnv: true,
        stderr: "null",
      }).output();
      if (!success) continue;
      compared++;
      // Some versions of git make blanks of tabs.
      const plain = (line: string) => line.replaceAll("\t", " ");
      const theirs = new TextDecoder().decode(stdout).split("\0").slice(0, -1)
        // What stands before the first section counts for nothing.
        .filter((line) => line.split("\n")[0]!.includes("."));
      assertEquals(list(text).map(plain), theirs.map(plain), JSON.stringify(text));
    }
    assertEquals(compared > 30, true, `git understood ${compared}`);
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
});

function randomSettings(): string {
  const any = <T>(...of: T[]): T => of[Math.floor(Math.random() * of.length)]!;
  const some = (most: number, make: () => string) =>
    Array.from({ length: Math.floor(Math.random() * most) }, make).join("");
  const piece = () =>
    any(
      "a",
      "Z",
      " ",
      "  ",
      "\t",
      "=",
      "'",
      "/x",
      "~",
      "$",
      ".",
      "!",
      "[",
      "]",
      "é",
      "\\\\",
      '\\"',
      "\\n",
      "\\\n",
    );
  const value = () =>
    some(6, () => any(piece(), piece(), `"${some(3, () => any(piece(), ";", "#"))}"`)) +
    any("", "", " ; c", "# \\", " ");
  const head = () =>
    any("[core]", "[Core]", '[a "b"]', '[a\t"B \\"\\c"]', "[a.B]", "[a-1.c.D] ", '[x "]"]', '[x ""]') +
    any("", " ", "\t");
  const line = () =>
    any(
      () => head(),
      () => `${head()}k = ${value()}`,
      () => `${some(3, () => any(" ", "\t"))}${any("key", "K-2", "z")}${any("", " ", "\t ")}=${value()}`,
      () => any("name", "  Name ", "n ; no", "", "; c = d \\", "# [x]", "\r"),
    )();
  return any("", "\uFEFF") +
    Array.from({ length: 1 + Math.floor(Math.random() * 8) }, () => line() + any("\n", "\n", "\r\n")).join(
      "",
    ) +
    any("", "[e]\n\tk = v");
}
