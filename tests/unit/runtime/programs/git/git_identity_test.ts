import { assertEquals } from "@std/assert";

import { gitIdentity } from "../../../../../runtime/programs/git/git_identity.ts";
import { workspace } from "../../../../support/run_tool.ts";

const USER = '[user]\n\tname = "Ann \\"A\\" Lee"  # me\n\temail = ann@a.test ; mine\n';
const identity = (name: string, email: string) => `[user]\n\tname = "${name}"\n\temail = "${email}"\n`;

Deno.test("gitIdentity() takes the user's name and address and no other setting", () => {
  using ws = workspace({
    "home/.gitconfig":
      `[credential]\n helper = "!evil"\n[core]\n hooksPath = /x\n[alias]\n co = "!sh"\n${USER}[user] signingKey = K\n`,
    "ws/a": "",
  });
  const places = { home: ws.at("home"), workspace: ws.at("ws"), env: {} };
  assertEquals(gitIdentity(places), identity('Ann \\"A\\" Lee', "ann@a.test"));
});

Deno.test("gitIdentity() reads the usual files in git's order, and those that they include", () => {
  using ws = workspace({
    "home/.config/git/config": '[user]\nname = Xdg\nemail = xdg@a.test\n[include]\npath = "more"\n',
    "home/.config/git/more": "[user]\n  name = More\n[include]\n path = more\n",
    "home/.gitconfig": "[include]\n path = ~/mail\n path = none\n",
    "home/mail": "[User]\n\tEmail = included@a.test\n",
    "home/other": "[user]\n\tname = Other\n",
    "xdg/git/config": "[user]\n\tname = Elsewhere\n",
    "ws/a": "",
  });
  const of = (env: Record<string, string>) =>
    gitIdentity({ home: ws.at("home"), workspace: ws.at("ws"), env });
  assertEquals(of({}), identity("More", "included@a.test"));
  assertEquals(of({ XDG_CONFIG_HOME: ws.at("xdg") }), identity("Elsewhere", "included@a.test"));
  assertEquals(of({ GIT_CONFIG_GLOBAL: ws.at("home/other") }), '[user]\n\tname = "Other"\n');
  const none = { GIT_CONFIG_GLOBAL: "/dev/null" };
  assertEquals(of(none), "");
  assertEquals(
    of({ ...none, GIT_AUTHOR_NAME: "Env\n[core]\nx", EMAIL: "e@a.test" }),
    identity("Env [core] x", "e@a.test"),
  );
});

Deno.test("gitIdentity() follows conditions about the folder of the repository", () => {
  using ws = workspace({
    "home/.gitconfig": [
      "[user]\n\tname = Ann\n\temail = ann@home.test",
      '[includeIf "gitdir:~/work/"]\n\tpath = work',
      '[includeIf "gitdir:other/"]\n\tpath = other',
      '[includeIf "hasconfig:remote.*.url:x"]\n\tpath = other\n',
    ].join("\n"),
    "home/work/.keep": "",
    "home/other": "[user]\n\temail = ann@other.test\n",
    "home/work/shop/.git/HEAD": "",
    "home/work/shop/src/a": "",
    "home/x/other/.git/HEAD": "",
    "home/play/.git/HEAD": "",
  });
  Deno.writeTextFileSync(ws.at("home/.gitconfig.work"), "[user]\n\temail = ann@work.test\n");
  Deno.writeTextFileSync(
    ws.at("home/.gitconfig"),
    Deno.readTextFileSync(ws.at("home/.gitconfig")).replace("path = work", "path = .gitconfig.work"),
  );
  const mail = (folder: string) =>
    /email = "(.*)"/.exec(gitIdentity({ home: ws.at("home"), workspace: ws.at(folder), env: {} }))![1];
  assertEquals(mail("home/work/shop/src"), "ann@work.test");
  assertEquals(mail("home/x/other"), "ann@other.test");
  assertEquals(mail("home/play"), "ann@home.test");
});
