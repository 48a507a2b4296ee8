import { assertEquals, assertStringIncludes } from "@std/assert";

import { makeScene } from "../../support/cli/scene.ts";

Deno.test("call takes its arguments as pairs, JSON, @FILE and stdin alike", async () => {
  using scene = makeScene({
    "ws/a.txt": "1\n2\n3\n",
    "ws/arguments.json": '{"path":"a.txt","start_line":2}',
    "elsewhere/arguments.json": '{"path":"a.txt","start_line":2}',
  });
  const inline = '{"path":"a.txt","start_line":2}';
  const ways: [words: string[], stdin: string][] = [
    [["path=a.txt", "start_line=2"], ""],
    [["path=a.txt", "start_line:=2"], ""],
    [['path:="a.txt"', "start_line:=2"], ""],
    [[inline], ""],
    [['{"path":"b.txt","start_line":2}', "path=a.txt"], ""],
    [["@arguments.json"], ""],
    [[`@${scene.at("elsewhere/arguments.json")}`], ""],
    [["@arguments.json", "path=a.txt"], ""],
    [["-"], inline],
    [["-", "start_line=2"], '{"path":"a.txt","start_line":3}'],
  ];
  const ends = await Promise.all(
    ways.map(([words, stdin]) => scene.run(["call", "Read", ...words], { stdin })),
  );
  for (const [at, { code, stdout, stderr }] of ends.entries()) {
    assertEquals([code, stderr, stdout.split("content:\n")[1]], [0, "", "2\n3\n"], ways[at]![0].join(" "));
  }
});

Deno.test("call refuses arguments that it cannot understand with exit code 2", async () => {
  using scene = makeScene({ "ws/a.txt": "1\n", "ws/broken.json": '{"path": }' });
  const refused: [words: string[], said: string][] = [
    [["Read"], "[Read] Missing required parameter: path"],
    [["Read", "pth=a.txt"], 'Unknown argument "pth", did you mean "path"?'],
    [["Read", "path=a.txt", "start_line=two"], 'Argument "start_line" must be an integer, not "two"'],
    [["Read", "@broken.json"], 'Broken JSON in arguments file "broken.json", line 1 column 10'],
    [["Read", "@absent.json"], 'Cannot read "absent.json": no such file'],
    [["Read", "path=a.txt", "start_line=0"], "[Read] start_line must be >= 1."],
    [
      ["harness/str_replace_editor", "command=edit", "path=/a"],
      "[str_replace_editor] command must be one of: view,",
    ],
    [
      ["manus/str_replace_editor", '{"command":5,"path":"/a"}'],
      "Parameter 'command' must be of type string.",
    ],
  ];
  const ends = await Promise.all(refused.map(([words]) => scene.run(["call", ...words])));
  for (const [at, { code, stdout, stderr }] of ends.entries()) {
    const [words, said] = refused[at]!;
    assertEquals([code, stdout], [2, ""], `${words.join(" ")}: ${stderr}`);
    assertStringIncludes(stderr, said, words.join(" "));
  }
});

Deno.test("call repairs what models get wrong and says so", async () => {
  using scene = makeScene({ "ws/a.txt": "1\n2\n" });
  const slips: [input: unknown, warned: number][] = [
    [{ path: "a.txt", start_line: "2" }, 1],
    [{ path: "a.txt", start_line: 2, why: "curious" }, 1],
    [{ path: "a.txt", start_line: 2 }, 0],
  ];
  for (const [input, warned] of slips) {
    const { code, warnings, text } = await scene.call("Read", input, ["--sandbox=off"]);
    assertEquals(
      [code, warnings.length, text.split("content:\n")[1]],
      [0, warned, "2"],
      JSON.stringify(input),
    );
  }
  const { stdout, stderr } = await scene.run(["call", "Read", '{"path":"a.txt","why":1}']);
  assertEquals([stdout.startsWith("path: "), stderr.startsWith("warning: ")], [true, true]);
  const quiet = await scene.run(["call", "Read", '{"path":"a.txt","why":1}', "-q"]);
  assertEquals(quiet.stderr, "");
});

Deno.test("a bare word, --name value and words after -- fill the arguments of a tool", async () => {
  using scene = makeScene({ "ws/a.txt": "one\n-two\n" });
  const read = await scene.run(["call", "par/read", "a.txt", "--limit", "1", "--quiet"]);
  assertEquals([read.code, read.stdout.split("\n")[0], read.stderr], [0, "   1\tone", ""]);
  const grep = await scene.run(["call", "Grep", "--path=a.txt", "--", "-two"]);
  assertEquals(grep.code, 0, grep.stderr);
  assertStringIncludes(grep.stdout, "a.txt:2: -two");
  const write = await scene.run(["explain", "Write", "a.txt"]);
  assertEquals([write.code, write.stdout], [2, ""]);
  assertStringIncludes(write.stderr, "path, content are required");
  const slip = await scene.run(["call", "Read", "a.txt", "--dry-run"]);
  assertEquals(slip.code, 2);
  assertStringIncludes(slip.stderr, "use bulkhead explain TOOL key=value");
});
