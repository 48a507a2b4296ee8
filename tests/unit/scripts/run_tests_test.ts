import { assertEquals, assertMatch } from "@std/assert";
import { dirname } from "@std/path";

import { drawCosts, keepsBudget, readTimes, sumOf } from "../../../scripts/test/figures.ts";
import { readJunit } from "../../../scripts/test/read_junit.ts";
import { runTier } from "../../../scripts/test/run_tier.ts";
import { groupsOf } from "../../../scripts/test/tiers.ts";

function checkout(files: Readonly<Record<string, string>>) {
  const root = Deno.makeTempDirSync({ prefix: "bulkhead-checkout-" });
  for (const [path, text] of Object.entries({ "deno.json": "{}", ...files })) {
    Deno.mkdirSync(dirname(`${root}/${path}`), { recursive: true });
    Deno.writeTextFileSync(`${root}/${path}`, text);
  }
  return { root, [Symbol.dispose]: () => Deno.removeSync(root, { recursive: true }) };
}

async function runAll(root: string, files: readonly string[]) {
  const said: string[] = [];
  const groups = files.map((file) => ({ name: file, files: [file] }));
  const result = await runTier(groups, { root, jobs: 2, env: {}, costs: {}, say: (text) => said.push(text) });
  return { ...result, said: said.join("\n") };
}

const once = (mark: string) =>
  `try { Deno.mkdirSync("${mark}"); } catch { return; }\n  throw new Error("only the first time");`;

Deno.test("what fails twice is a failure, what passes alone is flaky and told with its text", async () => {
  using made = checkout({
    "tests/unit/a_test.ts": `
Deno.test("good", () => {});
Deno.test({ name: "not here", ignore: true, fn() {} });
Deno.test("bad (a|b) \\"x\\" <&>", () => { throw new Error("always"); });
Deno.test("bad (a|b)", () => {});
`,
    "tests/unit/b_test.ts": `Deno.test("shaky", () => {\n  ${once("mark")}\n});`,
  });
  const { counts, ignored, said, costs } = await runAll(made.root, [
    "tests/unit/a_test.ts",
    "tests/unit/b_test.ts",
  ]);
  assertEquals([counts, ignored], [{ passed: 3, failed: 1, flaky: 1 }, ["not here"]]);
  assertMatch(said, /FAILED: tests\/unit\/a_test\.ts: bad \(a\|b\) "x" <&>\n.*always/);
  assertMatch(said, /flaky: passed alone: tests\/unit\/b_test\.ts: shaky\n.*only the first time/);
  assertEquals([costs["tests/unit/a_test.ts"]?.tests, costs["tests/unit/b_test.ts"]?.tests], [4, 1]);
});

Deno.test("more than three flaky tests are failures", async () => {
  const names = ["1", "2", "3", "4"];
  using made = checkout({
    "tests/unit/a_test.ts": names.map((name) => `Deno.test("${name}", () => {\n  ${once(name)}\n});`).join(
      "\n",
    ),
  });
  const { counts } = await runAll(made.root, ["tests/unit/a_test.ts"]);
  assertEquals(counts, { passed: 0, failed: 4, flaky: 4 });
});

Deno.test("a module that cannot be loaded, and tests that end their process, fail", async () => {
  using made = checkout({
    "tests/unit/a_test.ts": 'import "./none.ts";',
    "tests/unit/b_test.ts": 'Deno.test("ends", () => Deno.kill(Deno.pid, "SIGKILL"));',
  });
  const { counts, said } = await runAll(made.root, ["tests/unit/a_test.ts", "tests/unit/b_test.ts"]);
  assertEquals(counts, { passed: 0, failed: 2, flaky: 0 });
  assertMatch(said, /a_test\.ts: the module\nended with exit code 1:\n[^]*none\.ts/);
});

Deno.test("groupsOf() sorts the tests of a tier by folder, and cuts dear ones", () => {
  using made = checkout(Object.fromEntries(
    [
      ...["architecture_test.ts", "conventions_test.ts", "process/smoke_test.ts", "process/chat/x_test.ts"],
      ...["process/no_sandbox/x_test.ts", "unit/runtime/net/a/x_test.ts", "unit/runtime/net/b_test.ts"],
      ...[
        "unit/runtime/mod_test.ts",
        "unit/tools/par/x_test.ts",
        "unit/schemas/x_test.ts",
        "cases/agent/x_test.ts",
        "cases/calls/x_test.ts",
      ],
      ...[
        "attacks/git/x_test.ts",
        "attacks/frame/kinds_test.ts",
        "soak/net/x_test.ts",
        "unit/runtime/net/not.ts",
      ],
    ].map((path) => [`tests/${path}`, ""]),
  ));
  const shown = (tier: Parameters<typeof groupsOf>[0], costs = {}) =>
    groupsOf(tier, made.root, costs).map(({ name, files }) => `${name} ${files.length}`).toSorted();
  assertEquals(shown("quick", { "unit/net": 40 }), [
    ...["attacks 1", "attacks 1", "cases/calls 1", "process 1", "tests 2", "unit/net 1", "unit/net 1"],
    ...["unit/par 1", "unit/runtime 1", "unit/schemas 1"],
  ]);
  assertEquals(shown("gate"), ["attacks 1", "attacks 1", "cases/agent 1", "process 1", "process/chat 1"]);
  assertEquals(shown("no-sandbox"), ["process/no_sandbox 1"]);
  assertEquals(shown("soak"), ["attacks 1", "attacks 1", "process 1", "process/chat 1", "soak/net 1"]);
});

Deno.test("a tier may be a quarter over its budget, on a machine as fast as that of the figures", () => {
  assertEquals([keepsBudget(500, 400, 1), keepsBudget(501, 400, 1)], [true, false]);
  assertEquals([keepsBudget(1000, 400, 2), keepsBudget(1001, 400, 2)], [true, false]);
});

Deno.test("drawCosts() shows folders by cost beside the figures before", () => {
  const now = { a: { tests: 3, cpu: 1.5, starts: 2 }, bb: { tests: 1, cpu: 20, starts: null } };
  assertEquals(
    drawCosts(now, { a: { tests: 3, cpu: 1, starts: 9 } }),
    [
      "folder  tests  CPU s  starts  (before:  CPU s  starts)",
      "bb          1   20.0       -         -      -        -",
      "a           3    1.5       2         3    1.0        9",
      "all         4   21.5       -         3    1.0        9",
    ].join("\n"),
  );
  assertEquals(sumOf({}), { tests: 0, cpu: 0, starts: 0 });
});

Deno.test("readTimes() adds what the children of a shell used", () => {
  assertEquals(readTimes("0m0.01s 0m0.00s\n1m2.50s 0m3.25s\n"), 65.75);
  assertEquals(readTimes(""), 0);
});

Deno.test("readJunit() reads names as they are", () => {
  const xml =
    `<testcase name="a &lt;b&gt; &quot;c&quot; &#x27;d&#39;" classname="./tests/x_test.ts" time="0.5" line="1">
        </testcase>
        <testcase name="e" classname="./tests/x_test.ts" time="0" line="2" col="6">
            <failure message="m">Error: x &amp; y</failure>
        </testcase>
        <testcase name="f" classname="./tests/x_test.ts" time="0"><skipped/></testcase>`;
  assertEquals(readJunit(xml), [
    { file: "tests/x_test.ts", name: `a <b> "c" 'd'`, outcome: "passed", text: "", seconds: 0.5 },
    { file: "tests/x_test.ts", name: "e", outcome: "failed", text: "Error: x & y", seconds: 0 },
    { file: "tests/x_test.ts", name: "f", outcome: "ignored", text: "", seconds: 0 },
  ]);
});
