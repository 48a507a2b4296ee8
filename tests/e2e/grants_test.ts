import { assert, assertEquals, assertStringIncludes } from "@std/assert";

import { type Call, makeScene } from "./scene.ts";

const BOXES = ["auto", "off"] as const;
const SECRET = "hunter2-do-not-show";

const SECRET_FILES = [
  ".env",
  ".env.local",
  ".ENV",
  "app/.env.production",
  "app/server.pem",
  "app/server.key",
  ".ssh/config",
  "home/.ssh/id_ed25519",
  ".aws/credentials",
  ".netrc",
  "app/.npmrc",
  ".git-credentials",
  ".docker/config.json",
  "id_rsa",
];

const PROTECTED_FILES = [
  ".git/hooks/pre-commit",
  ".git/config",
  ".git/modules/x/hooks/post-checkout",
  ".envrc.d/../.bashrc",
  ".vscode/tasks.json",
  ".idea/workspace.xml",
  ".mcp.json",
  ".claude/settings.json",
  "bulkhead.json",
  "sub/.bulkhead.jsonc",
  "sub/.husky/pre-commit",
];

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

for (const box of BOXES) {
  Deno.test(`secrets in the workspace are neither read, found nor written, --box=${box}`, async () => {
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
    const refused = await scene.batch(calls, [`--box=${box}`]);
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
    ], [`--box=${box}`]);
    const open = [".env.example", "plain.txt"];
    const [grep, parGrep, glob, find] = found.answers.map(({ result }) => result as Record<string, unknown>);
    const paths = (grep!.results as { path: string }[]).map(({ path }) => path);
    assertEquals(paths, open.map((name) => `${scene.ws}/${name}`));
    assertEquals(parGrep as unknown, open.map((name) => `${name}:1:${SECRET}`));
    assertEquals(glob!.results, open.map((name) => `${scene.ws}/${name}`));
    assertEquals(find as unknown, open);
    for (const name of SECRET_FILES) assertEquals(scene.read(`ws/${name}`), `${SECRET}\n`);
  });

  Deno.test(`--allow-secrets opens the named secret and no other, --box=${box}`, async () => {
    using scene = makeScene({ "ws/.env": "A=1\n", "ws/app/.env": "B=2\n", "ws/.ssh/config": "C\n" });
    const calls = [read(".env"), read("app/.env"), read(".ssh/config"), { tool: "Grep", arguments: { pattern: "=" } }];
    const { answers } = await scene.batch(calls, [`--box=${box}`, "--allow-secrets=.env"]);
    assertEquals(codes(answers), [null, "permission_denied", "permission_denied", null]);
    assertStringIncludes(answers[3]!.text, "/.env:1: A=1");
    assert(!answers[3]!.text.includes("B=2"));
    const folder = await scene.batch(calls, [`--box=${box}`, "--allow-secrets=.ssh,app"]);
    assertEquals(codes(folder.answers), ["permission_denied", null, null, null]);
    assertStringIncludes(folder.answers[3]!.text, "/app/.env:1: B=2");
  });

  Deno.test(`what other programs would execute is read but not written, --box=${box}`, async () => {
    const made = Object.fromEntries(PROTECTED_FILES.map((name) => [`ws/${name}`, "before"]));
    using scene = makeScene({ "ws/.envrc.d/a": "", ...made });
    const readable = await scene.batch(PROTECTED_FILES.map(read), [`--box=${box}`]);
    assertEquals(new Set(codes(readable.answers)), new Set([null]));
    for (const flags of [[], ["--allow-write=."], ["-A"], ["--allow-write"]]) {
      const { answers } = await scene.batch(PROTECTED_FILES.map(write), [`--box=${box}`, ...flags]);
      assertEquals(new Set(codes(answers)), new Set(["permission_denied"]), flags.join());
      assertEquals(answers[0]!.error?.details.reason, "protected");
    }
    for (const name of PROTECTED_FILES) assertEquals(scene.read(`ws/${name}`), "before");
    const made2 = [".git/hooks/new", ".mcp.json.bak", "new/.vscode/x", ".envrc", ".git"].map(write);
    const created = await scene.batch(made2, [`--box=${box}`]);
    const denied = "permission_denied";
    assertEquals(codes(created.answers), [denied, null, denied, denied, denied]);
    const granted = await scene.batch(
      [".git/hooks/pre-commit", ".mcp.json", ".git/config", "plain.txt"].map(write),
      [`--box=${box}`, "--allow-write=.git/hooks,.mcp.json"],
    );
    assertEquals(codes(granted.answers), [null, null, denied, denied]);
    assertEquals(scene.read("ws/.git/hooks/pre-commit"), "changed");
  });

  Deno.test(`deny wins over every grant, --box=${box}`, async () => {
    using scene = makeScene({ "ws/a/x.txt": "hunter\n", "ws/b/x.txt": "hunter\n", "other/x.txt": "hunter\n" });
    const flags = [`--box=${box}`, "--deny-read=a", "--deny-write=b"];
    const calls: Call[] = [
      read("a/x.txt"),
      read("b/x.txt"),
      write("b/x.txt"),
      write("c/x.txt"),
      { tool: "Grep", arguments: { pattern: "hunter" } },
      { tool: "Glob", arguments: { pattern: "**/x.txt" } },
      { tool: "Glob", arguments: { pattern: "**/*", path: "a" } },
    ];
    const denied = "permission_denied";
    for (const more of [[], ["-A"], ["--allow-read=.,a", "--allow-write=.,b"]]) {
      scene.write("ws/c/x.txt", "");
      const { answers } = await scene.batch(calls, [...flags, ...more]);
      assertEquals(codes(answers), [denied, null, denied, null, null, null, denied], more.join());
      assertEquals(answers[0]!.error?.details.reason, "denied");
      for (const { text } of answers.slice(4, 6)) {
        assert(text.includes("/b/x.txt") && !text.includes("/a/x.txt"), text);
      }
    }
    assertEquals(scene.read("ws/b/x.txt"), "hunter\n");
    const none = await scene.batch([read("b/x.txt"), write("c/x.txt")], [`--box=${box}`, "--deny-read", "-A"]);
    assertEquals(codes(none.answers), [denied, denied]);
    const linked = makeScene({ "ws/a/x.txt": "hunter\n" });
    linked.link("a", "ws/alias");
    const behind = await linked.batch([read("alias/x.txt")], [`--box=${box}`, "--deny-read=alias"]);
    linked[Symbol.dispose]();
    assertEquals(codes(behind.answers), [denied]);
  });

  Deno.test(`--allow-read opens a second folder, however it is spelled, --box=${box}`, async () => {
    using scene = makeScene({ "ws/a.txt": "a\n", "second/b.txt": "hunter\n", "third/c.txt": "c\n" });
    scene.link("second", "spelled");
    const calls = (folder: string): Call[] => [
      read("a.txt"),
      read(`${folder}/b.txt`),
      { tool: "Grep", arguments: { pattern: "hunter", path: folder } },
      { tool: "Glob", arguments: { pattern: "*", path: folder } },
      write(`${folder}/b.txt`),
      read(scene.at("third/c.txt")),
    ];
    const denied = "permission_denied";
    const ways = [
      ["../second", scene.at("second")],
      [scene.at("second"), scene.at("second")],
      [scene.at("spelled"), scene.at("spelled")],
      [scene.at("spelled"), scene.at("second")],
      ["../spelled/", "../second"],
    ];
    for (const [flag, folder] of ways) {
      const { answers } = await scene.batch(calls(folder!), [`--box=${box}`, `--allow-read=${flag}`]);
      assertEquals(codes(answers), [null, null, null, null, denied, denied], `${flag} ${folder}`);
      assertStringIncludes(answers[2]!.text, "b.txt:1: hunter");
    }
    const file = await scene.batch(
      [read(scene.at("second/b.txt")), { tool: "Glob", arguments: { pattern: "*", path: scene.at("second") } }],
      [`--box=${box}`, "--allow-read=../second/b.txt"],
    );
    assertEquals(codes(file.answers), [null, denied]);
    assertEquals(scene.read("second/b.txt"), "hunter\n");
  });

  Deno.test(`--allow-write=DIR replaces the workspace, --box=${box}`, async () => {
    using scene = makeScene({ "ws/a.txt": "a\n", "out/b.txt": "b\n", "ws/sub/c.txt": "c\n" });
    const denied = "permission_denied";
    const out = scene.at("out");
    const calls = [write("a.txt"), write(`${out}/b.txt`), write(`${out}/new/n.txt`), write("sub/c.txt"), read("a.txt")];
    const outside = await scene.batch(calls, [`--box=${box}`, "--allow-write=../out"]);
    assertEquals(codes(outside.answers), [denied, null, null, denied, null]);
    const sub = await scene.batch(calls, [`--box=${box}`, "--allow-write=sub"]);
    assertEquals(codes(sub.answers), [denied, denied, denied, null, null]);
    const file = await scene.batch(calls, [`--box=${box}`, "--allow-write=a.txt"]);
    assertEquals(codes(file.answers), [null, denied, denied, denied, null]);
    assertEquals(
      ["ws/a.txt", "out/b.txt", "out/new/n.txt", "ws/sub/c.txt"].map(scene.read),
      ["changed", "changed", "changed", "changed"],
    );
  });

  Deno.test(`-A opens everything but the floor, --box=${box}`, async () => {
    using scene = makeScene({ "out/b.txt": "b\n", "out/.env": SECRET, "out/.ssh/id_rsa": SECRET });
    const out = scene.at("out");
    const { answers } = await scene.batch([
      read(`${out}/b.txt`),
      write(`${out}/b.txt`),
      write(`${out}/new.txt`),
      read("/etc/hostname"),
      read(`${out}/.env`),
      read(`${out}/.ssh/id_rsa`),
      { tool: "Grep", arguments: { path: out, pattern: "hunter" } },
      { tool: "Glob", arguments: { path: out, pattern: "**/*" } },
      read("/proc/self/environ"),
      read("/proc/1/environ"),
      read("/dev/zero"),
      write(`${out}/.git/hooks/pre-commit`),
    ], [`--box=${box}`, "-A"]);
    const denied = "permission_denied";
    const etc = Deno.statSync("/etc/hostname").isFile ? null : "not_found";
    assertEquals(
      codes(answers),
      [null, null, null, etc, denied, denied, null, null, denied, denied, denied, denied],
    );
    assert(!JSON.stringify(answers).includes(SECRET));
    assertEquals((answers[7]!.result as { results: string[] }).results, [`${out}/b.txt`, `${out}/new.txt`]);
    assertEquals([scene.read("out/b.txt"), scene.read("out/new.txt")], ["changed", "changed"]);
  });

  Deno.test(`the read-only policies let nothing be written, --box=${box}`, async () => {
    using scene = makeScene({ "ws/a.txt": "a\n" });
    const calls = [
      read("a.txt"),
      write("a.txt"),
      { tool: "Edit", arguments: { path: "a.txt", patch: "@@ -1 +1 @@\n-a\n+b\n" } },
      { tool: "par/write", arguments: { path: "b.txt", content: "b" } },
      { tool: "par/edit", arguments: { path: "a.txt", edits: [{ old: "a", new: "b" }] } },
      { tool: "str_replace_editor", arguments: { command: "create", path: `${scene.ws}/b`, file_text: "" } },
      { tool: "manus/str_replace_editor", arguments: { command: "create", path: `${scene.ws}/b`, file_text: "" } },
      { tool: "Grep", arguments: { pattern: "a" } },
      { tool: "par/calculator", arguments: { expression: "1" } },
    ];
    const denied = "permission_denied";
    for (const policy of ["read-only", "read-only-no-net"]) {
      const { code, answers } = await scene.batch(calls, [`--box=${box}`, `--policy=${policy}`]);
      assertEquals(codes(answers), [null, ...Array(6).fill(denied), null, null]);
      assertEquals(code, 3);
      assertStringIncludes(answers[1]!.text, `pass --allow-write=${scene.ws} to grant it`);
    }
    assertEquals(scene.read("ws/a.txt"), "a\n");
    const lifted = await scene.batch(calls.slice(0, 2), [`--box=${box}`, "--policy=read-only", "--allow-write=."]);
    assertEquals(codes(lifted.answers), [null, null]);
  });

  Deno.test(`-C names the workspace and paths in flags stay the user's, --box=${box}`, async () => {
    using scene = makeScene({ "ws/a.txt": "wrong\n", "project/a.txt": "right\n", "project/sub/b.txt": "b\n" });
    scene.link("project", "spelled");
    for (const folder of ["../project", scene.at("project"), "../spelled", scene.at("spelled")]) {
      const { answers } = await scene.batch(
        [read("a.txt"), read("../ws/a.txt"), { tool: "Read", arguments: { path: `${scene.at("spelled")}/sub/b.txt` } }],
        [`--box=${box}`, "-C", folder, "--deny-read=sub"],
      );
      // A link that stands outside the grants is none of them, unless the user spelled it.
      const third = folder.endsWith("spelled") ? null : "permission_denied";
      assertEquals(codes(answers), [null, "permission_denied", third], folder);
      assertStringIncludes(answers[0]!.text, "right");
    }
  });
}
