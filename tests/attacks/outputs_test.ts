import { assert, assertEquals } from "@std/assert";

import { type Attack, attackTests, write } from "./attack.ts";

const CALL = ["call", "calculator", "expression=1"];
const RC = "export A=1\n";
const PROFILE = "<home>/.bashrc";

/** A link that a call or a checkout made, and what the user says then. */
const LINKS: readonly (readonly [
  id: string,
  title: string,
  links: Readonly<Record<string, string>>,
  /** Split at blanks; `CALL` is a call that succeeds. */
  words: string,
  setup?: string,
])[] = [
  ["2-01", "-o of call, a link to a file", { "ws/x": PROFILE }, "CALL -o x"],
  ["2-02", "-o of call, a link to what is not there", { "ws/x": "<home>/.profile" }, "CALL -o x"],
  ["2-03", "-o of call, a link in a folder above", { "ws/out": "<home>" }, "CALL -o out/.bashrc"],
  [
    "2-04",
    "-o of call with events, a chain of links",
    { "ws/b": PROFILE, "ws/x": "b" },
    "CALL --events -o ./x",
  ],
  ["2-05", "-o of batch, a link by an absolute path", { "ws/x": PROFILE }, "batch - -o <ws>/x"],
  [
    "2-06",
    "-o of run, before a model is asked",
    { "ws/review.md": PROFILE },
    "run Review --model replay:none -o review.md",
  ],
  ["2-07", "--json and -o of run that cannot begin", { "ws/x": PROFILE }, "run --json -o x --policy none a"],
  ["2-08", "--record of run", { "ws/x": PROFILE }, "run a --model replay:none --record x"],
  [
    "2-09",
    "--audit, whose line holds a command",
    { "ws/x": PROFILE },
    "call Bash command=$(>planted) --audit x",
  ],
  [
    "2-10",
    "--audit of exec, in a folder that is a link",
    { "ws/logs": "<home>" },
    "exec --audit logs/.bashrc -- true",
  ],
  ["2-11", "schema lock, under a policy that writes nothing", { "ws/x": PROFILE }, "schema lock x"],
  [
    "2-12",
    "-o of schema, a folder that is a link, further down",
    { "ws/sub/out": "<home>" },
    "schema Read -o sub/out/.bashrc",
  ],
  ["2-13", "a report of a batch", { "ws/x": PROFILE }, "batch - --report junit=x"],
  [
    "2-14",
    "a link that a checkout brought, read-only",
    {},
    "CALL --policy read-only -o x",
    "git init -q; ln -s <home>/.bashrc x; git add x",
  ],
  [
    "2-15",
    "a link at the top of the repository, from a folder in it",
    { "ws/x": PROFILE },
    "CALL -C sub -o x",
    "git init -q; mkdir sub",
  ],
  [
    "2-16",
    "a link in a folder that --allow-write names",
    { "outside/x": PROFILE },
    "CALL --allow-write=<outside> -o <outside>/x",
  ],
  ["2-17", "a link anywhere, with -A", { "outside/x": PROFILE }, "CALL -A -o <outside>/x"],
  [
    "2-18",
    "a link in a folder that everybody can write",
    { "outside/x": PROFILE },
    "CALL -o <outside>/x",
    "chmod 1777 <outside>",
  ],
];

attackTests(2, [
  ...LINKS.map(([id, title, links, words, setup], at): Attack => ({
    id,
    title,
    files: { "outside/keep": "", "home/.bashrc": RC },
    links,
    ...(setup === undefined ? {} : { setup }),
    quick: at === 0,
    async act(place) {
      const [command = "", ...rest] = place.fill(words.replace("CALL", CALL.join(" "))).split(" ");
      // What starts nothing has no flag for the sandbox.
      const flags = command === "schema" ? [] : place.flags;
      const ended = await place.run([command, ...flags, ...rest]);
      assert(ended.stderr.includes("is a link to"), ended.stderr);
      assert(ended.stderr.includes("name that: "), ended.stderr);
      assertEquals([ended.code, await Deno.readTextFile(`${place.home}/.bashrc`)], [3, RC]);
    },
    after: "test ! -e <home>/.profile && test ! -e planted",
  })),
  {
    id: "2-20",
    title: "calls that change the files of -o, a report and the summary",
    files: { "ws/res.jsonl": "old\n", "ws/sub/keep": "" },
    setup: "printf RC > <home>/.bashrc",
    env: { GITHUB_STEP_SUMMARY: "sum.md" },
    async act(place) {
      const spoil = ["res.jsonl", "sub/new.xml", "sum.md"].flatMap((path) => write(path, "forged", "any"));
      const command =
        "for f in res.jsonl sub/new.xml sum.md; do echo forged > $f; truncate -s 0 $f; mv $f gone; rm -f $f; " +
        "ln $f hard; ln -sf ~/.bashrc $f; done; mv sub moved; mkdir sub; echo forged > sub/new.xml; mv . ../other";
      const calls = [...spoil, { tool: "Bash", arguments: { command } }];
      const reports = ["--report", "junit=sub/new.xml", "--report", "github"];
      const stdin = calls.map((call) => `${JSON.stringify(call)}\n`).join("");
      await place.run(["batch", "-", ...place.flags, "-o", "res.jsonl", ...reports], { stdin });
      const of = (name: string) => Deno.readTextFileSync(`${place.ws}/${name}`);
      assertEquals(of("res.jsonl").trim().split("\n").length, calls.length);
      for (const line of of("res.jsonl").trim().split("\n")) assert("tool_name" in JSON.parse(line));
      assert(of("sub/new.xml").startsWith("<?xml"));
      assert(of("sum.md").startsWith("### bulkhead"));
    },
    absent: ["hard", "moved"],
    after: "test $(cat <home>/.bashrc) = RC",
  },
  {
    id: "2-21",
    title: "a program without a sandbox that puts a link in the place of -o",
    needs: ["no sandbox"],
    why: "in a sandbox the name is held",
    setup: "printf RC > <home>/.bashrc; mkdir sub",
    async act(place) {
      for (
        const [file, command] of [
          ["x", "rm -f x; ln -s <home>/.bashrc x"],
          ["sub/.bashrc", "mv sub gone; ln -s <home> sub"],
        ] as const
      ) {
        const words = [`command=${place.fill(command)}`, "--allow-run=bash", "-o", file];
        const { code, stderr } = await place.run(["call", "Bash", ...words, ...place.flags]);
        assert(code !== 0 && stderr.includes("took its place"), stderr);
      }
    },
    after: "test $(cat <home>/.bashrc) = RC",
  },
  {
    id: "2-22",
    title: "a second name for the file that lines are added to",
    files: { "ws/audit.jsonl": "", "ws/keep": "kept" },
    setup: "ln audit.jsonl other; ln keep res.jsonl",
    async act(place) {
      for (const words of [[...CALL, "--audit", "audit.jsonl"], ["batch", "-", "-o", "res.jsonl"]]) {
        const { code, stderr } = await place.run([...words, ...place.flags]);
        assert(code !== 0 && stderr.includes("hard links"), stderr);
      }
    },
    unchanged: ["."],
  },
  {
    id: "2-23",
    title: "one file for two outputs",
    files: { "ws/x": "old" },
    async act(place) {
      for (
        const words of [[...CALL, "--audit", "x", "-o", "./x"], [
          "batch",
          "-",
          "-o",
          "x",
          "--report",
          "junit=x",
        ]]
      ) {
        const { code, stderr } = await place.run([...words, ...place.flags]);
        assertEquals([code, stderr.includes("two outputs")], [2, true]);
      }
    },
    unchanged: ["."],
  },
  {
    id: "2-24",
    title: "what is no attack: a new file, a pipe, devices",
    setup: "mkfifo pipe",
    async act(place) {
      const [word = "", ...flags] = [...CALL, ...place.flags];
      assertEquals((await place.run([word, ...flags, "-o", "new"])).code, 0);
      assertEquals(await Deno.readTextFile(`${place.ws}/new`), "1\n");
      assertEquals((await place.run([word, ...flags, "-o", "/dev/null"])).stdout, "");
      assertEquals((await place.run([word, ...flags, "-o", "/dev/stdout"])).stdout, "1\n");
      const reader = place.besides("cat pipe > got");
      assertEquals((await place.run([word, ...flags, "-o", "pipe"])).code, 0);
      await reader.status;
    },
    after: "test $(cat got) = 1",
  },
  {
    id: "2-25",
    title: "an output onto what the command itself reads",
    files: {
      "ws/calls.jsonl": '{"tool":"Read","input":{"path":"kept"}}\n',
      "ws/kept": "x\n",
      "ws/read.json": '{"path":"kept"}',
    },
    setup:
      "ln -s calls.jsonl outside-link; mv outside-link <outside>/link; ln -sf <ws>/calls.jsonl <outside>/link",
    async act(place) {
      for (
        const words of [
          ["batch", "calls.jsonl", "-o", "./calls.jsonl"],
          ["batch", "calls.jsonl", "--report", "junit=calls.jsonl"],
          ["batch", "calls.jsonl", "--audit", "calls.jsonl"],
          ["batch", `${place.outside}/link`, "-o", "calls.jsonl"],
          ["call", "Read", "@read.json", "--events", "-o", "read.json"],
        ]
      ) {
        const { code, stderr } = await place.run([...words, ...place.flags]);
        assertEquals([code, stderr.includes("it is read here, name another file")], [2, true], stderr);
      }
    },
    unchanged: ["."],
  },
]);
