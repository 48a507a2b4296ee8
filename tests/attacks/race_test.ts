import type { Answer } from "../support/cli/scene.ts";
import { rounds } from "../support/tier.ts";
import { type Attack, type AttackCall, attackTests, SECRET } from "./attack.ts";

const SWAPPER = await Deno.readTextFile(new URL("../fixtures/attacks/swap_when_touched.py", import.meta.url));
const SWAPPER_OF_LINKS = await Deno.readTextFile(
  new URL("../fixtures/attacks/swap_links.py", import.meta.url),
);
const HOOK = "#!/bin/sh\ntouch planted\n";
const ROUNDS = rounds(8, 80);
/** Of two calls each, which take less than those that wait for an event. */
const ROUNDS_OF_LINKS = rounds(50, 500);
/** How a program learns that the folder is in use; a busy one does not wait for it. */
const EVENTS = {
  "when it is opened": "0x20",
  "when a file is made in it": "0x100",
  "when a file in it was written": "0x8",
  "at any event": "0xfff",
  "without a pause": "always",
} as const;

/** Ends that a race may have. */
const REFUSED = ["ok", "conflict", "permission_denied", "not_found", "invalid_input", "unavailable"] as const;

const EDITOR = "harness/str_replace_editor";

function tries(call: (turn: number) => Omit<AttackCall, "refusal">[]): AttackCall[] {
  return Array.from({ length: ROUNDS }, (_, turn) => call(turn)).flat().map((one) => ({
    ...one,
    refusal: REFUSED,
  }));
}

/** A terminal whose program swaps `d` for the link `l`. */
function swapper(events: string): AttackCall[] {
  const input = `python3 swap.py d l ${events} & while ! [ -e swapping ]; do :; done; echo begun\n`;
  return [
    { tool: "TerminalStart", arguments: {}, refusal: "ok" },
    { tool: "TerminalWrite", arguments: { session_id: "term_1", input, yield_time_ms: 1000 }, refusal: "ok" },
  ];
}

/** All that writes, changes, makes and removes. */
const writers: readonly AttackCall[] = tries((turn) => [
  { tool: "Write", arguments: { path: "d/pre-commit", content: HOOK, overwrite: true } },
  { tool: "Write", arguments: { path: `d/pre-commit${turn}`, content: HOOK } },
  { tool: "Write", arguments: { path: `d/post-commit`, content: HOOK, overwrite: true } },
  { tool: "par/write", arguments: { path: "d/pre-commit", content: "x\n" } },
  { tool: "par/write", arguments: { path: `d/new${turn}/pre-commit`, content: HOOK, create_dirs: true } },
  { tool: "Edit", arguments: { path: "d/pre-commit", patch: "@@ -1 +1 @@\n-x\n+touch planted\n" } },
  { tool: "par/edit", arguments: { path: "d/pre-commit", edits: [{ old: "touch planted", new: "x" }] } },
  { tool: EDITOR, arguments: { command: "create", path: `<ws>/d/made`, file_text: HOOK } },
  { tool: EDITOR, arguments: { command: "undo_edit", path: `<ws>/d/made` } },
  {
    tool: "manus/str_replace_editor",
    arguments: { command: "create", path: `<ws>/d/h${turn}`, file_text: HOOK },
  },
]);

const intoHooks = Object.entries(EVENTS).map(([when, events], at): Attack => ({
  id: `12-0${at + 1}`,
  title: `writes, while a program swaps their folder for .git/hooks ${when}`,
  alone: true,
  files: { "ws/swap.py": SWAPPER, "ws/d/pre-commit": "x\n" },
  setup: "git init -q; rm .git/hooks/*; echo true > .git/hooks/post-commit; chmod +x .git/hooks/* d/*; " +
    "cp .git/hooks/post-commit .git/hooks/made; ln -s .git/hooks l",
  calls: [...swapper(events), ...writers],
  unchanged: [".git/hooks", ".git/config"],
  after: "git commit -q --allow-empty -m x; test ! -e planted",
  needs: ["sandbox", "program python3", "program git"],
}));

const outside = ["0x20", "0x100", "0x8"].map((events, at): Attack => ({
  id: `12-2${at + 1}`,
  title: `writes, while a program of the user swaps their folder for one outside at the event ${events}`,
  files: { "ws/swap.py": SWAPPER, "ws/d/pre-commit": "x\n" },
  setup: "mkdir <root>/elsewhere; echo kept > <root>/elsewhere/post-commit; ln -s <root>/elsewhere l",
  beside: `exec python3 swap.py d l ${events} <root>/elsewhere <outside>/written`,
  begun: "test -e swapping",
  calls: writers,
  after: "grep -rl planted <root>/elsewhere && exit 1; [ $(cat <root>/elsewhere/post-commit) = kept ] && " +
    "! cat <outside>/written",
  needs: ["program python3"],
}));

/** What tells of a file that nobody may read: its name, its size, whether it holds a word. */
const readers: readonly AttackCall[] = tries(() => [
  { tool: "Grep", arguments: { pattern: SECRET.slice(0, 6), path: "d" } },
  { tool: "Grep", arguments: { pattern: "never there", path: "d" } },
  { tool: "Glob", arguments: { pattern: "d/**" } },
  { tool: "Read", arguments: { path: "d/credentials" } },
  { tool: "Read", arguments: { path: "d/notes.txt" } },
  { tool: "par/ls", arguments: { path: "d" } },
  { tool: "par/find", arguments: { pattern: "d/**" } },
  { tool: "par/grep", arguments: { pattern: SECRET.slice(0, 6), path: "d" } },
  { tool: EDITOR, arguments: { command: "view", path: "<ws>/d" } },
]);

/** Harmless files, and what lies at the same names and at others where nobody may look. */
const TWINS = {
  "ws/d/a.txt": "a\n",
  "ws/d/notes.txt": "mine\n",
  "ws/sub/.aws/notes.txt": `${SECRET}\n`,
  "ws/sub/.aws/credentials": `${SECRET}\n`,
};

/** Neither names nor counts tell of a secret. */
function checkUntold(answers: readonly Answer[]): void {
  const tells = answers.filter(({ text, result, tool_name }) =>
    tool_name !== "harness/Read" && /credentials/.test(`${text} ${JSON.stringify(result)}`)
  );
  if (tells.length > 0) throw new Error(`names of secrets were told: ${JSON.stringify(tells[0])}`);
  const counts = answers.filter(({ tool_name }) => tool_name === "harness/Grep")
    .map(({ result }) => (result as { files_scanned?: number } | null)?.files_scanned ?? 0);
  if (counts.some((count) => count > 2)) throw new Error(`files were counted: ${counts}`);
}

const ofSecrets = Object.entries(EVENTS).map(([when, events], at): Attack => ({
  id: `12-1${at + 1}`,
  quick: at === 0,
  title: `searches and lists, while a program swaps their folder for one with secrets ${when}`,
  alone: true,
  files: { "ws/swap.py": SWAPPER, ...TWINS },
  setup: "ln -s sub/.aws l",
  calls: [...swapper(events), ...readers],
  unchanged: ["sub"],
  after: (_place, answers) => checkUntold(answers.slice(2)),
  needs: ["sandbox", "program python3"],
}));

/** Calls whose file and folder change between inside and outside all the time. */
const OF_LINKS: readonly (readonly [title: string, call: (turn: number) => readonly AttackCall[]])[] = [
  ["reads", (turn) => [
    { tool: ["Read", "par/read"][turn % 2]!, arguments: { path: "file" } },
    turn % 3 === 0
      ? { tool: "Grep", arguments: { pattern: "h|i", path: "folder" } }
      : { tool: "Read", arguments: { path: "folder/target.txt" } },
  ]],
  ["writes", (turn) =>
    turn % 2 === 0
      ? [
        { tool: "Write", arguments: { path: "folder/target.txt", content: "inside\n", overwrite: true } },
        {
          tool: "par/edit",
          arguments: { path: "folder/target.txt", edits: [{ old: "inside", new: "inside" }] },
        },
      ]
      : [
        { tool: "par/write", arguments: { path: `folder/new-${turn % 8}.txt`, content: "inside\n" } },
        { tool: "Write", arguments: { path: "file", content: "inside\n", overwrite: true } },
      ]],
];

const throughLinks = OF_LINKS.map(([title, call], at): Attack => ({
  id: `12-4${at + 1}`,
  title: `${title}, while links are swapped without a pause`,
  files: {
    "ws/swap.py": SWAPPER_OF_LINKS,
    "ws/inside.txt": "inside\n",
    "ws/folder/target.txt": "inside\n",
    "outside/target.txt": `${SECRET}\n`,
  },
  links: { "ws/file": "inside.txt" },
  beside: "exec python3 swap.py <outside>",
  begun: "test -e swapping",
  calls: Array.from({ length: ROUNDS_OF_LINKS }, (_, turn) => call(turn)).flat().map((one) => ({
    ...one,
    refusal: ["ok", "permission_denied", "conflict", "not_found", "unavailable"],
  })),
  after(_place, answers) {
    // What a call found at its path: the file, one outside, or another one than a moment before.
    const ends = new Set(answers.map(({ ok, error }) => ok ? "ok" : error?.code));
    if (ends.size < 2) throw new Error("all calls ended in one way: the race was not on");
  },
  needs: ["sandbox", "program python3"],
}));

attackTests(12, [...throughLinks, ...intoHooks, ...ofSecrets, ...outside, {
  id: "12-31",
  title: "without a sandbox, a program that swaps a folder without a pause",
  open:
    "Without a sandbox, a program of yours that swaps a folder for a link without a pause can lead a write elsewhere, or show a search what lies there.",
}, {
  id: "12-32",
  title: "a program that the run did not start, which swaps a folder for a link",
  open:
    "Against it, the guard alone holds what lies within the granted folders: it rarely loses, but it can.",
}]);
