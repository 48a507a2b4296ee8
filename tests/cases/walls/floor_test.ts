import { assert, assertEquals, assertStringIncludes } from "@std/assert";

import { type Call, makeScene } from "../../support/cli/scene.ts";

const SECRET = "hunter2-do-not-show";

/** Of each kind one: every name stands in the unit tests of secret paths, and more in tests/attacks/secrets_test.ts. */
const SECRET_FILES = [".env", "app/server.pem", ".ssh/config", "id_rsa"];

function read(path: string): Call {
  return { tool: "par/read", arguments: { path } };
}

function write(path: string): Call {
  return { tool: "Write", arguments: { path, content: "changed", overwrite: true } };
}

/** The error codes of answers, `null` for what went well. */
function codes(answers: readonly { error: { code: string } | null }[]): (string | null)[] {
  return answers.map(({ error }) => error?.code ?? null);
}

Deno.test("secrets in the workspace are neither read, found nor written", async () => {
  const files = Object.fromEntries(SECRET_FILES.map((name) => [`ws/${name}`, `${SECRET}\n`]));
  using scene = makeScene({ ...files, "ws/.env.example": `${SECRET}\n`, "ws/plain.txt": `${SECRET}\n` });
  scene.link(".env", "ws/innocent.txt");
  scene.link(".ssh", "ws/folder");
  const named = [...SECRET_FILES, "innocent.txt", "folder/config"];
  const calls = named.flatMap((path): Call[] => [
    { tool: "Read", arguments: { path } },
    read(path),
    { tool: "Grep", arguments: { path, pattern: "hunter" } },
    { tool: "par/grep", arguments: { path, pattern: "hunter" } },
    { tool: "str_replace_editor", arguments: { command: "view", path: `${scene.ws}/${path}` } },
    { tool: "manus/str_replace_editor", arguments: { command: "view", path: `${scene.ws}/${path}` } },
    { tool: "par/edit", arguments: { path, edits: [{ old: "hunter2", new: "x" }] } },
    write(path),
  ]);
  const refused = await scene.batch(calls);
  for (const [at, answer] of refused.answers.entries()) {
    assertEquals(answer.error?.code, "permission_denied", JSON.stringify(calls[at]));
    assert(!JSON.stringify(answer).includes(SECRET), JSON.stringify(answer));
    assertEquals(answer.error?.details.reason, "secret");
    assertStringIncludes(String(answer.error?.details.flag), "--allow-secrets=");
  }
  const found = await scene.batch([
    { tool: "Grep", arguments: { pattern: "hunter", respect_gitignore: false } },
    { tool: "par/grep", arguments: { pattern: "hunter", respect_gitignore: false } },
    { tool: "Glob", arguments: { pattern: "**/*", respect_gitignore: false } },
    { tool: "par/find", arguments: { pattern: "*", respect_gitignore: false } },
  ]);
  const open = [".env.example", "plain.txt"];
  const [grep, parGrep, glob, find] = found.answers.map(({ result }) => result as Record<string, unknown>);
  const paths = (grep!.results as { path: string }[]).map(({ path }) => path);
  assertEquals(paths, open.map((name) => `${scene.ws}/${name}`));
  assertEquals(parGrep as unknown, open.map((name) => `${name}:1:${SECRET}`));
  assertEquals(glob!.results, open.map((name) => `${scene.ws}/${name}`));
  assertEquals(find as unknown, open);
  for (const name of SECRET_FILES) assertEquals(scene.read(`ws/${name}`), `${SECRET}\n`);
});

Deno.test("--allow-secrets opens the named secret and no other", async () => {
  using scene = makeScene({ "ws/.env": "A=1\n", "ws/app/.env": "B=2\n", "ws/.ssh/config": "C\n" });
  const calls = [read(".env"), read("app/.env"), read(".ssh/config"), {
    tool: "Grep",
    arguments: { pattern: "=" },
  }];
  const { answers } = await scene.batch(calls, ["--allow-secrets=.env"]);
  assertEquals(codes(answers), [null, "permission_denied", "permission_denied", null]);
  assertStringIncludes(answers[3]!.text, "/.env:1: A=1");
  assert(!answers[3]!.text.includes("B=2"));
  const folder = await scene.batch(calls, ["--allow-secrets=.ssh,app"]);
  assertEquals(codes(folder.answers), ["permission_denied", null, null, null]);
  assertStringIncludes(folder.answers[3]!.text, "/app/.env:1: B=2");
});
