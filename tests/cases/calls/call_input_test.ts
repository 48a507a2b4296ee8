import { assertEquals, assertStringIncludes } from "@std/assert";

import { makeScene } from "../../support/cli/scene.ts";

const PATCH = "@@ -1 +1 @@\n-a\n+b\n";

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

Deno.test("call keeps a value as text where the schema says text", async () => {
  using scene = makeScene();
  for (const text of ["12", "true", "null", "{}", "[1]", "", " a ", "a=b", "@a", "-", "\\n", "é\u{1f600}"]) {
    const { code, stdout } = await scene.run(["call", "echo", `text=${text}`, "--json", "--sandbox=off"]);
    assertEquals([code, JSON.parse(stdout).result], [0, text]);
  }
});

Deno.test("call takes multi-line texts, from a pair and from stdin", async () => {
  using scene = makeScene({ "ws/a.txt": "a\n", "ws/b.txt": "a\n" });
  const pair = await scene.run(["call", "Edit", "path=a.txt", `patch=${PATCH}`]);
  const stdin = JSON.stringify({ path: "b.txt", patch: PATCH });
  const piped = await scene.run(["call", "Edit", "-"], { stdin });
  assertEquals([pair.code, piped.code], [0, 0]);
  assertEquals([scene.read("ws/a.txt"), scene.read("ws/b.txt")], ["b\n", "b\n"]);
});

Deno.test("call refuses arguments that it cannot understand with exit code 2", async () => {
  using scene = makeScene({ "ws/a.txt": "1\n", "ws/broken.json": '{"path": }' });
  const refused: [words: string[], said: string][] = [
    [["Read"], "[Read] Missing required parameter: path"],
    [["Write", "a.txt"], "write key=value or key:=JSON; path, content are required"],
    [["Read", "pth=a.txt"], 'Unknown argument "pth", did you mean "path"?'],
    [["Read", "path=a.txt", "start_line=two"], 'Argument "start_line" must be an integer, not "two"'],
    [["Read", "path=a.txt", "start_line=1.5"], 'Argument "start_line" must be an integer, not "1.5"'],
    [["Read", "path=a.txt", "path=b.txt"], 'Argument "path" is given 2 times and takes one value'],
    [["Read", "path:=a.txt"], 'Broken JSON in argument "path"'],
    [["Read", "{path}"], "Broken JSON in the arguments, line 1 column 2"],
    [["Read", "[1]"], "expected a JSON object, got an array"],
    [["Read", "@broken.json"], 'Broken JSON in arguments file "broken.json", line 1 column 10'],
    [["Read", "@absent.json"], 'Cannot read "absent.json": no such file'],
    [["Read", "@"], 'No file named after "@"'],
    [["Read", "path=a.txt", "start_line=0"], "[Read] start_line must be >= 1."],
    [["par/grep", "pattern=x", "context_lines=101"], "context_lines"],
    [["Grep", "pattern=(", "path=a.txt"], "[Grep] "],
    [
      ["harness/str_replace_editor", "command=edit", "path=/a"],
      "[str_replace_editor] command must be one of: view,",
    ],
    [["harness/str_replace_editor", "path=/a"], "[str_replace_editor] Missing required parameter: command"],
    [
      ["manus/str_replace_editor", "command=edit", "path=/a"],
      "Error: Unrecognized command edit. The allowed ",
    ],
    [
      ["manus/str_replace_editor", '{"command":5,"path":"/a"}'],
      "Parameter 'command' must be of type string.",
    ],
    [
      ["manus/str_replace_editor", '{"command":"view","path":"/a","view_range":[1,"x"]}'],
      "Error: Invalid `view_range`. It should be a list of two integers.",
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
    [{ path: "a.txt", end_line: null, start_line: 2 }, 1],
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

Deno.test("a value that looks like an option grants nothing and prints no JSON", async () => {
  using scene = makeScene({ "ws/a.txt": "-A\n" });
  const flags = ["-A", "--allow-all", "--allow-write", "--json"];
  await Promise.all(flags.map(async (flag) => {
    const words = ["call", "Write", "--path", "../outside.txt", "--content", flag];
    const { code, stdout, stderr } = await scene.run(words);
    assertEquals([code, stdout], [3, ""], `${flag}: ${stderr}`);
  }));
  const found = await scene.run(["call", "Grep", "--pattern", "-A", "--case-sensitive", "--json"]);
  assertEquals(JSON.parse(found.stdout).result.match_count, 1, found.stderr);
});
