import { assert, assertEquals, assertStringIncludes } from "@std/assert";

import { SANDBOXES } from "../../support/box.ts";
import { type Call, makeScene } from "../../support/cli/scene.ts";

const SECRET = "hunter2-do-not-show";

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

for (const box of SANDBOXES) {
  Deno.test(`deny wins over every grant, --sandbox=${box}`, async () => {
    using scene = makeScene({
      "ws/a/x.txt": "hunter\n",
      "ws/b/x.txt": "hunter\n",
      "other/x.txt": "hunter\n",
    });
    const flags = [`--sandbox=${box}`, "--deny-read=a", "--deny-write=b"];
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
    for (const more of [["-A"], ["--allow-read=.,a", "--allow-write=.,b"]]) {
      scene.write("ws/c/x.txt", "");
      const { answers } = await scene.batch(calls, [...flags, ...more]);
      assertEquals(codes(answers), [denied, null, denied, null, null, null, denied], more.join());
      assertEquals(answers[0]!.error?.details.reason, "denied");
      for (const { text } of answers.slice(4, 6)) {
        assert(text.includes("/b/x.txt") && !text.includes("/a/x.txt"), text);
      }
    }
    assertEquals(scene.read("ws/b/x.txt"), "hunter\n");
    const none = await scene.batch([read("b/x.txt"), write("c/x.txt")], [
      `--sandbox=${box}`,
      "--deny-read",
      "-A",
    ]);
    assertEquals(codes(none.answers), [denied, denied]);
    const linked = makeScene({ "ws/a/x.txt": "hunter\n" });
    linked.link("a", "ws/alias");
    const behind = await linked.batch([read("alias/x.txt")], [`--sandbox=${box}`, "--deny-read=alias"]);
    linked[Symbol.dispose]();
    assertEquals(codes(behind.answers), [denied]);
  });

  Deno.test(`--allow-read opens a second folder, however it is spelled, --sandbox=${box}`, async () => {
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
    const ways = [["../spelled/", "../second"], [scene.at("spelled"), scene.at("spelled")]];
    for (const [flag, folder] of ways) {
      const { answers } = await scene.batch(calls(folder!), [`--sandbox=${box}`, `--allow-read=${flag}`]);
      assertEquals(codes(answers), [null, null, null, null, denied, denied], `${flag} ${folder}`);
      assertStringIncludes(answers[2]!.text, "b.txt:1: hunter");
    }
    const file = await scene.batch(
      [read(scene.at("second/b.txt")), {
        tool: "Glob",
        arguments: { pattern: "*", path: scene.at("second") },
      }],
      [`--sandbox=${box}`, "--allow-read=../second/b.txt"],
    );
    assertEquals(codes(file.answers), [null, denied]);
    assertEquals(scene.read("second/b.txt"), "hunter\n");
  });

  Deno.test(`--allow-write=DIR adds to the policy, --sandbox=${box}`, async () => {
    using scene = makeScene({ "ws/a.txt": "a\n", "out/b.txt": "b\n", "ws/sub/c.txt": "c\n" });
    const denied = "permission_denied";
    const out = scene.at("out");
    const calls = [
      write("a.txt"),
      write(`${out}/b.txt`),
      write(`${out}/new/n.txt`),
      write("sub/c.txt"),
      read("a.txt"),
    ];
    const table: [flags: string[], codes: (string | null)[]][] = [
      [["--allow-write=../out"], [null, null, null, null, null]],
      [["--allow-write=../out", "--deny-write=."], [denied, null, null, denied, null]],
      [["--policy=read-only", "--allow-write=a.txt"], [null, denied, denied, denied, null]],
    ];
    for (const [flags, expected] of table) {
      const { answers } = await scene.batch(calls, [`--sandbox=${box}`, ...flags]);
      assertEquals(codes(answers), expected, flags.join(" "));
    }
    const { answers: [refused] } = await scene.batch([write("../other.txt")], [
      `--sandbox=${box}`,
      "--allow-write=../out",
    ]);
    assertStringIncludes(refused!.text, `Write access is limited to these folders: ${scene.ws}, ${out} (`);
    assertEquals(
      ["ws/a.txt", "out/b.txt", "out/new/n.txt", "ws/sub/c.txt"].map(scene.read),
      ["changed", "changed", "changed", "changed"],
    );
  });

  Deno.test(`-A opens everything but the floor, --sandbox=${box}`, async () => {
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
    ], [`--sandbox=${box}`, "-A"]);
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

  Deno.test(`the root of the file system can be granted and worked in, --sandbox=${box}`, async () => {
    using scene = makeScene({ "out/b.txt": "b\n", "out/.env": SECRET });
    const out = scene.at("out");
    const calls = [
      read(`${out}/b.txt`),
      read(`${out}/.env`),
      write(`${out}/b.txt`),
      read("/proc/self/environ"),
    ];
    const denied = "permission_denied";
    const table: [flags: string[], codes: (string | null)[]][] = [
      [["--allow-read=/"], [null, denied, denied, denied]],
      [["--allow-read=/", "--allow-write=/"], [null, denied, null, denied]],
      [["--policy=read-only", "--allow-write"], [denied, denied, null, denied]],
    ];
    for (const [flags, expected] of table) {
      const { answers } = await scene.batch(calls, [`--sandbox=${box}`, ...flags]);
      assertEquals(codes(answers), expected, flags.join(" "));
    }
    const path = out.slice(1);
    const inRoot = await scene.batch([
      { tool: "Read", arguments: { path: `${path}/b.txt` } },
      { tool: "Read", arguments: { path: `${path}/.env` } },
      { tool: "Glob", arguments: { pattern: `${path}/*` } },
    ], [`--sandbox=${box}`, "-C", "/", "--policy=read-only"]);
    assertEquals(codes(inRoot.answers), [null, denied, null]);
    assertEquals((inRoot.answers[2]!.result as { results: string[] }).results, [`${out}/b.txt`]);
  });

  Deno.test(`a workspace may have any name, --sandbox=${box}`, async () => {
    // A start costs more than a name: what does not stand first can stand together.
    for (const name of ["a,b c'\"é\u{1f600}", "a:b\nline 100%25"]) {
      using scene = makeScene({ [`${name}/a.txt`]: "a\n", [`${name}/sub/.env`]: SECRET });
      const { answers } = await scene.batch(
        [read("a.txt"), write("new/b.txt"), read("sub/.env"), { tool: "Grep", arguments: { pattern: "a" } }],
        [`--sandbox=${box}`, `--workspace=../${name}`],
      );
      assertEquals(codes(answers), [null, null, "permission_denied", null], name);
      assertEquals(scene.read(`${name}/new/b.txt`), "changed");
    }
  });
}

Deno.test("denying the folders of the system and of the program leaves the rest usable", async () => {
  using scene = makeScene({ "ws/a.txt": "hello\n", "out/b.txt": "out\n" });
  const program = Deno.realPathSync(Deno.execPath()).split("/").slice(0, -1).join("/");
  scene.write("out/deep/c.txt", "deep");
  for (const deny of ["/usr,/proc,/dev", `${program},${scene.root}/out,${scene.root}/out/deep,/var`]) {
    for (const flags of [[], ["-A"]]) {
      const words = [
        "call",
        "par/read",
        "path=a.txt",
        `--deny-read=${deny}`,
        `--deny-write=${deny}`,
        ...flags,
      ];
      const { code, stdout, stderr } = await scene.run(words);
      assertEquals([code, stdout], [0, "   1\thello\n"], `${deny} ${flags}: ${stderr}`);
    }
  }
  const denied = await scene.call("Read", { path: "../out/deep/c.txt" }, [
    "-A",
    `--deny-read=${scene.root}/out`,
  ]);
  assertEquals([denied.code, denied.error?.details.reason], [3, "denied"]);
  for (const flag of ["--deny-read=/", "--deny-write=/"]) {
    const { code, error } = await scene.call("Write", { path: "b.txt", content: "x" }, ["-A", flag]);
    assertEquals([code, error?.code], [3, "permission_denied"], flag);
  }
});
