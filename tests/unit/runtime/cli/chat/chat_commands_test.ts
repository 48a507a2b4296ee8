import { assertEquals, assertStringIncludes } from "@std/assert";

import {
  CHAT_COMMANDS,
  chatHelp,
  completeCommand,
  readLine,
} from "../../../../../runtime/cli/chat/chat_commands.ts";

Deno.test("readLine() tells commands from prompts", { permissions: "none" }, () => {
  const prompts = [
    "hello",
    " /quit",
    "/etc/hosts is what?",
    "/tmp/x",
    "a /quit",
    "/* a comment */",
    "//x",
    "/2",
  ];
  for (const text of prompts) assertEquals(readLine(text), { kind: "prompt", text });
  for (const text of ["", "  ", "\n"]) assertEquals(readLine(text), { kind: "nothing" });
  const command = (name: string, words: string[] = [], rest = "") => ({ kind: "command", name, words, rest });
  assertEquals(readLine("/quit") as unknown, command("quit"));
  assertEquals(readLine("/Help ") as unknown, command("help"));
  assertEquals(readLine('/save "a b.md"') as unknown, command("save", ["a b.md"], '"a b.md"'));
  assertEquals(readLine("/grants --allow-net=a.com  --deny-run='x y'") as unknown, {
    ...command("grants", ["--allow-net=a.com", "--deny-run=x y"]),
    rest: "--allow-net=a.com  --deny-run='x y'",
  });
});

Deno.test("readLine() names the nearest command", { permissions: "none" }, () => {
  const said = (text: string) => {
    const typed = readLine(text);
    return typed.kind === "mistake" ? typed.message : "";
  };
  assertStringIncludes(
    said("/undoo all"),
    'Unknown command "/undoo", did you mean "/undo"? A blank before the line',
  );
  assertStringIncludes(said("/zzz"), 'Unknown command "/zzz", see /help. A blank before');
  assertStringIncludes(said("/quit now"), "/quit takes no words; a blank before the line");
});

Deno.test("completeCommand() offers what a beginning may become", { permissions: "none" }, () => {
  assertEquals(completeCommand("/s"), ["/save "]);
  assertEquals(completeCommand("/quit"), ["/quit"]);
  assertEquals(completeCommand("/").length, Object.keys(CHAT_COMMANDS).length);
  for (const text of ["", "s", "/save x", "/zz"]) assertEquals(completeCommand(text), []);
});

Deno.test("chatHelp() tells of every command", { permissions: "none" }, () => {
  for (const [name, { summary }] of Object.entries(CHAT_COMMANDS)) {
    assertStringIncludes(chatHelp(80), `  /${name}`);
    assertStringIncludes(chatHelp(80), summary);
  }
  assertStringIncludes(chatHelp(20), "  /quit\n    End the chat");
});
