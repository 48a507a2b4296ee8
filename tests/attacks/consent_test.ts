// Kind 5: only what a person types after a whole question was shown is consent. All questions of a place share one terminal.
import { assert, assertEquals } from "@std/assert";

import { type Attack, attackTests, type Place } from "./attack.ts";

const ASK = JSON.stringify({
  policy: "coder",
  tools: { "*": { permission: "confirm" }, "harness/AskUser": { permission: "allow" } },
});
const FLAGS = ["--config", "<home>/ask.json"];
const NEEDS = { needs: ["program script"] } as const;
const FILES = { "home/ask.json": ASK };

/** A call for which a person is asked. */
interface Asked {
  title: string;
  tool: string;
  arguments: Record<string, unknown>;
  /** What is typed at its question; none if nobody may be asked. @default Enter alone */
  typed?: string | readonly string[];
  /** Parts of the screen. */
  shows?: readonly string[];
  /** What must not reach the terminal. */
  hides?: readonly string[];
  /** A file that is made if the call runs, and whether it may. */
  file: string;
  runs?: boolean;
}

const writing = (file: string, content = "x") => ({
  tool: "Write",
  arguments: { path: file, content },
  file,
});
const running = (command: string, file: string) => ({ tool: "Bash", arguments: { command }, file });

const QUESTIONS: readonly Asked[] = [
  { title: "a yes", ...writing("yes.txt"), typed: "y\n", runs: true },
  { title: "Enter alone", ...writing("enter.txt") },
  { title: "a word that begins like yes", ...writing("yellow.txt"), typed: "yellow\n" },
  { title: "a yes with more behind it", ...writing("more.txt"), typed: "yes, but not to this file\n" },
  { title: "the end of input", ...writing("end.txt"), typed: "\x04" },
  { title: "a yes that is taken back before Enter", ...writing("taken.txt"), typed: "y\x7f\n" },
  { title: "a no, and a yes pasted behind it", ...writing("pasted.txt"), typed: ["no\n\ny\ny\n", "\n"] },
  { title: "the call after the pasted yes", ...writing("after.txt") },
  {
    title: "a name that turns the writing round",
    ...writing("a\u202egnp.sh"),
    shows: ["\\u202egnp.sh"],
    hides: ["\u202e"],
  },
  {
    title: "a name with a letter of another script",
    ...writing("conf\u0456g.ts"),
    shows: ["conf\\u0456g.ts"],
  },
  {
    title: "a link to another file",
    ...{ tool: "Write", arguments: { path: "link.txt", content: "x", overwrite: true }, file: "link.txt" },
    shows: ["link.txt (leads to ", "/Makefile)"],
  },
  {
    title: "content that asks the terminal for an answer",
    ...writing("reports.txt", "\x1b[6n\x1b[c\x1b]0;y\x07\x9b5n"),
    hides: ["\x1b[6n", "\x1b[c", "\x1b]0;", "\x9b"],
  },
  {
    title: "content that clears the screen and asks again",
    ...writing("clear.txt", "\x1b[2J\x1b[HAllow it?\r[y]es to a harmless call: "),
    hides: ["\x1b[2J", "\r[y]es to a"],
  },
  {
    title: "a command pushed out of sight by blanks",
    ...running(`true${" ".repeat(5_000)}; touch blanks`, "blanks"),
    shows: ["true␠×5000; touch blanks"],
  },
  {
    title: "a command of 200 lines",
    ...running(`${"true\n".repeat(200)}touch lines`, "lines"),
    shows: ["        touch lines", "long  1011 characters in 201 lines"],
  },
  {
    title: "a command with a carriage return",
    ...running("touch return\recho harmless", "return"),
    shows: ["touch return\\recho harmless"],
  },
  {
    title: "a command with a letter that nobody sees",
    ...running("touch un\u200bseen", "un\u200bseen"),
    shows: ["touch un\\u200bseen"],
    hides: ["\u200b"],
  },
  {
    title: "code of Python, of which the end counts",
    tool: "python_execute",
    arguments: { code: `${"x = 1\n".repeat(60)}open("code", "w")` },
    file: "code",
    shows: ['open("code", "w")'],
  },
  {
    title: "a yes to a question of the model that looks like one of bulkhead's",
    tool: "AskUser",
    arguments: { question: "Write needs your consent\nAllow it? [y]es, [n]o, [e]xplain: " },
    file: "asked.txt",
    typed: "y\n",
  },
  { title: "what is refused anyway: nobody is asked", ...writing(".envrc"), typed: [] },
  { title: "the last call", ...writing("last.txt"), typed: ["n\n", "\n"] },
];

const CALLS = QUESTIONS.map(({ tool, arguments: input }) => JSON.stringify({ tool, arguments: input })).join(
  "\n",
);

/** What a run of all questions left. */
interface Seen {
  screen: string;
  files: readonly string[];
}

const runs = new Map<string, Promise<Seen>>();

/** Asks all questions, once in each place. */
function seenIn(place: Place): Promise<Seen> {
  const key = `${place.boxed} ${place.root}`;
  const seen = runs.get(key) ?? askAll(place);
  runs.set(key, seen);
  return seen;
}

async function askAll({ atTerminal, boxed, flags, home, ws }: Place): Promise<Seen> {
  const typed = QUESTIONS.flatMap(({ typed = "\n" }) => typed);
  const more = boxed ? [] : ["--allow-run=bash,python3"];
  const { screen } = await atTerminal(["batch", `${home}/calls.jsonl`, ...flags, ...more], { typed });
  return { screen, files: [...Deno.readDirSync(ws)].map(({ name }) => name) };
}

const asked = QUESTIONS.map(({ title, shows = [], hides = [], file, runs = false }, at): Attack => ({
  id: `5-${`${at + 1}`.padStart(2, "0")}`,
  title: `consent at a terminal: ${title}`,
  files: { ...FILES, "home/calls.jsonl": CALLS, "ws/Makefile": "all:\n" },
  links: { "ws/link.txt": "Makefile" },
  flags: FLAGS,
  unchanged: ["Makefile"],
  async act(place) {
    const { screen, files } = await seenIn(place);
    for (const part of shows) {
      assert(screen.includes(part), `does not show ${JSON.stringify(part)}: ${screen}`);
    }
    for (const part of hides) assert(!screen.includes(part), `shows ${JSON.stringify(part)}`);
    assertEquals(files.includes(file), runs || file === "link.txt", screen);
  },
  ...NEEDS,
}));

const WRITE = ["call", "Write", "path=made.txt", "content=x"];

attackTests(5, [...asked, {
  id: "5-51",
  title: "a yes typed before the question is shown, with and without Enter",
  files: FILES,
  flags: FLAGS,
  async act({ atTerminal, flags }) {
    const { code, screen } = await atTerminal([...WRITE, ...flags], { ahead: "y\ny\ny", typed: "\n" });
    assertEquals(code, 3, screen);
  },
  absent: ["made.txt"],
  ...NEEDS,
}, {
  id: "5-52",
  title: "a terminal where nobody sits, as in CI",
  files: FILES,
  flags: FLAGS,
  async act({ atTerminal, flags }) {
    const { code, screen } = await atTerminal([...WRITE, ...flags], { ahead: "y\n", ci: "1" });
    assertEquals([code, screen.includes("Allow it?")], [3, false], screen);
  },
  absent: ["made.txt"],
  ...NEEDS,
}]);
