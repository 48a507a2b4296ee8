import { type Attack, type AttackCall, attackTests, type Expected, sampled, SECRET } from "../attack.ts";

/** What lies around the case's folder, and the links that lead there. */
const TRAPS = {
  "ws/inside.txt": "inside\n",
  "ws/sub/deep/inside.txt": "inside\n",
  "outside/secret.txt": `${SECRET}\n`,
  "outside/sub/secret.txt": `${SECRET}\n`,
  "root/ws-other/secret.txt": `${SECRET}\n`,
  "root/wsx": `${SECRET}\n`,
  "root/inside.txt": `${SECRET}\n`,
};
const LINKS = {
  "ws/file-link": "../../outside/<at>/secret.txt",
  "ws/absolute-link": "<outside>/secret.txt",
  "ws/folder-link": "../../outside/<at>",
  "ws/chain-1": "chain-2",
  "ws/chain-2": "sub/chain-3",
  "ws/sub/chain-3": "../folder-link",
  "ws/up": "../..",
  "ws/dangling": "../../outside/<at>/made.txt",
  "ws/dangling-folder": "../../outside/<at>/made",
  "ws/proc-link": "/proc/self/root<outside>/secret.txt",
  "ws/cwd-link": "/proc/self/cwd",
  "ws/fd-link": "/proc/self/fd/0",
  "ws/loop": "loop",
  "ws/a": "b",
  "ws/b": "a",
};

const EDITORS = ["harness/str_replace_editor", "manus/str_replace_editor"];

/** Everything that can be done with a path, by every tool that takes one. */
function everyUse(path: string, absolute: string, refusal: Expected): AttackCall[] {
  const patch = `@@ -1 +1 @@\n-inside\n+changed\n`;
  const calls: [tool: string, input: Record<string, unknown>][] = [
    ["Read", { path }],
    ["Grep", { path, pattern: "hunter" }],
    ["Glob", { path, pattern: "**/*" }],
    ["Write", { path, content: "changed", overwrite: true }],
    ["Edit", { path, patch }],
    ["par/read", { path }],
    ["par/ls", { path }],
    ["par/find", { path, pattern: "**" }],
    ["par/grep", { path, pattern: "hunter", context_lines: 1 }],
    ["par/write", { path, content: "changed", create_dirs: true }],
    ["par/edit", { path, edits: [{ old: "inside", new: "changed" }] }],
    ...EDITORS.flatMap((tool): [string, Record<string, unknown>][] => [
      [tool, { command: "view", path: absolute }],
      [tool, { command: "create", path: absolute, file_text: "changed" }],
      [tool, { command: "str_replace", path: absolute, old_str: "inside", new_str: "changed" }],
      [tool, { command: "insert", path: absolute, insert_line: 0, new_str: "changed" }],
      [tool, { command: "undo_edit", path: absolute }],
    ]),
  ];
  return calls.map(([tool, input]) => ({ tool, arguments: input, refusal }));
}

/** Ways to name what is outside; none is normalised before the program sees it. */
const WAYS_OUT = [
  ...["<at>/../../outside/<at>/secret.txt", "<at>/sub/../../../outside/<at>/secret.txt"],
  ...["<at>/sub/deep/../../../../outside/<at>/secret.txt", "./<at>/..//../outside/./<at>/secret.txt"],
  ...["..", "../", "<outside>/secret.txt", "<ws>/../../outside/<at>/secret.txt", "<outside>/made.txt"],
  ...["<outside>/made/made.txt", "../ws-other/secret.txt", "<root>/ws-other/secret.txt", "<root>/wsx"],
  ...["<at>/file-link", "<at>/absolute-link", "<at>/folder-link", "<at>/folder-link/secret.txt"],
  ...["<at>/folder-link/sub/secret.txt", "<at>/folder-link/made.txt", "<at>/folder-link/made/made.txt"],
  ...["<at>/folder-link/../../inside.txt", "<at>/sub/../folder-link/secret.txt"],
  ...["<at>/chain-1/secret.txt", "<at>/chain-1/made.txt", "<at>/up/outside/<at>/secret.txt"],
  ...["<at>/up/outside/<at>/made.txt", "<at>/dangling", "<at>/dangling-folder/made.txt"],
  ...["<at>/proc-link", "<at>/cwd-link/outside/secret.txt", "<at>/fd-link"],
  ...["/proc/self/root<outside>/secret.txt", "/proc/self/cwd/../outside/secret.txt", "/proc/self/fd/0"],
  ...["/proc/self/environ", "/proc/1/environ", "/dev/stdin", "/dev/fd/0", "/etc/passwd", "/"],
];

/** Paths that are wrong in themselves. */
const WRONG: readonly (readonly [path: string, only?: "par"])[] = [
  ["<at>/inside.txt\0"],
  ["\0"],
  ["<at>/inside.txt\0/../../outside/secret.txt"],
  ["<at>/folder-link/secret.txt\0.txt"],
  ["<at>/loop"],
  ["<at>/loop/x"],
  ["<at>/a"],
  ["<at>/a/x"],
  ["<ws>/inside.txt", "par"],
  ["<ws>/made.txt", "par"],
  ["<ws>", "par"],
  ["C:inside.txt", "par"],
  ["a:b", "par"],
  ["sub:x/y", "par"],
];

const COMMON = {
  files: TRAPS,
  links: LINKS,
  unchanged: [".", "../../ws-other", "../../wsx", "../../inside.txt"],
};

function absolute(path: string): string {
  return path.startsWith("/") || /^<(ws|outside|root)>/.test(path) ? path : `<ws>/../${path}`;
}

const waysOut = WAYS_OUT.map((path, at): Attack => ({
  id: `4-${101 + at}`,
  title: `the path ${path}, by every tool`,
  ...COMMON,
  calls: everyUse(path, absolute(path), "permission_denied"),
}));

const home: Attack = {
  id: "4-150",
  title: "the path ~/secret.txt, by every tool that knows of a home",
  ...COMMON,
  files: { ...TRAPS, "home/secret.txt": `${SECRET}\n` },
  calls: everyUse("~/secret.txt", "~/secret.txt", "permission_denied").filter(({ tool }) =>
    !/^(par|manus)\//.test(tool)
  ),
};

const wrong = WRONG.map(([path, only], at): Attack => ({
  id: `4-${151 + at}`,
  title: `the path ${JSON.stringify(path)}, by every tool${only ? " of par" : ""}`,
  ...COMMON,
  calls: everyUse(path, absolute(path), "invalid_input").filter(({ tool }) => !only || tool.startsWith(only)),
}));

/** Searches that could follow a link out. */
const SEARCHES: readonly (readonly [tool: string, input: Record<string, unknown>])[] = [
  ["Grep", { pattern: "hunter", path: "<at>" }],
  ["Grep", { pattern: "hunter", path: "<at>", glob: "folder-link/**" }],
  ["Grep", { pattern: "hunter", path: "<at>", glob: "file-link" }],
  ["Grep", { pattern: "hunter", path: "<at>/sub" }],
  ["par/grep", { pattern: "hunter", path: "<at>" }],
  ["par/grep", { pattern: "hunter", path: "<at>", glob: "folder-link/**" }],
  ["Glob", { pattern: "<at>/**/secret.txt" }],
  ["Glob", { pattern: "<at>/folder-link/*", include_dirs: true }],
  ["Glob", { pattern: "<at>/up/outside/*" }],
  ["Glob", { pattern: "<at>/{folder-link,up}/**/*.txt" }],
  ["Glob", { pattern: "**/folder-link/**" }],
  ["par/find", { pattern: "<at>/secret.txt" }],
  ["par/find", { pattern: "<at>/folder-link/*" }],
  ["par/find", { pattern: "**/folder-link/**/secret.txt" }],
  ["Glob", { pattern: "../**/*" }],
  ["Glob", { pattern: "../outside/*" }],
  ["Glob", { pattern: "<root>/outside/*" }],
  ["Glob", { pattern: "<at>/sub/../../../outside/*" }],
];

const searches = SEARCHES.map(([tool, input], at): Attack => ({
  id: `4-${171 + at}`,
  title: `${tool} of ${JSON.stringify(input)}`,
  ...COMMON,
  calls: [{ tool, arguments: input }],
  after(_place, [answer]) {
    const { ok, result } = answer!;
    const found = (result as { results?: unknown[] } | null)?.results ?? result;
    if (ok && JSON.stringify(found) !== "[]") throw new Error(`found ${JSON.stringify(found)}`);
  },
}));

attackTests(4, sampled([...waysOut, home, ...wrong, ...searches]));
