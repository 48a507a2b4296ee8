import { assert, assertEquals } from "@std/assert";

import { boxTest } from "../../support/box.ts";
import { makeScene, type Scene } from "../../support/cli/scene.ts";
import { snapshot } from "../../support/cli/snapshot.ts";
import { SURFACE_CONFIG, SURFACES } from "../../support/cli/surfaces.ts";

const SECRET = "hunter2-do-not-show";

/** A repository with what the user's own tools would execute, and with secrets. */
const REPOSITORY = {
  "ws/.git/HEAD": "ref: refs/heads/main\n",
  "ws/.git/config": "[core]\n\trepositoryformatversion = 0\n\tbare = false\n",
  "ws/.git/hooks/pre-commit": "#!/bin/sh\n",
  "ws/.git/objects/kept": "",
  "ws/.git/refs/heads/kept": "",
  "ws/.vscode/tasks.json": "{}\n",
  "ws/.envrc": "",
  "ws/.mcp.json": "{}\n",
  "ws/deep/er/.env": `${SECRET}\n`,
  "ws/deep/server.pem": `${SECRET}\n`,
  "ws/deep/.ssh/id_rsa": `${SECRET}\n`,
  "ws/notes.txt": "plain\n",
  "config.json": SURFACE_CONFIG,
};

/** What a command may try with protected files; `FOLDER` is the place of new ones. */
const CHANGES = [
  "echo x > .git/hooks/pre-commit",
  "echo x > .git/hooks/post-checkout",
  "cp notes.txt .git/hooks/pre-push",
  "ln -s ../../notes.txt .git/hooks/pre-rebase",
  "mv .git/hooks .git/old && mkdir .git/hooks && echo x > .git/hooks/pre-commit",
  "git config core.fsmonitor ./notes.txt",
  "git config --global core.pager ./notes.txt",
  "printf x >> .git/config",
  "mv notes.txt .git/config",
  "sed -i s/false/true/ .git/config",
  "rm -f .git/config; rm -rf .git/hooks",
  "mv .git moved && mkdir -p .git/hooks && echo x > .git/hooks/pre-commit",
  "mkdir -p .git/info && echo x > .git/info/attributes",
  "echo ../other > .git/commondir",
  "mkdir -p .git/modules/m/hooks && echo x > .git/modules/m/hooks/pre-commit",
  "echo x > .vscode/tasks.json",
  "echo x > .vscode/settings.json",
  "mv .vscode moved-vscode",
  "rm -rf .vscode",
  "echo x > .envrc",
  "rm -f .envrc && echo x > .envrc",
  "mv .envrc moved-envrc",
  "echo x > .mcp.json",
  "chmod +x .git/hooks/pre-commit .envrc .mcp.json",
  "truncate -s 0 .git/config",
  "dd if=notes.txt of=.git/config",
];

const NEW_FILES = [
  "new/.envrc",
  "new/.vscode/tasks.json",
  "new/.idea/workspace.xml",
  "new/.husky/pre-commit",
  "new/.git/hooks/pre-commit",
  "new/.claude/settings.json",
  "new/.mcp.json",
  "new/.bashrc",
  ".bulkhead/config.json",
  "bulkhead.json",
];

/** The files of a workspace that are protected, by path. */
function protectedFiles(scene: Scene): Record<string, string> {
  const pattern = /\/(\.git\/(config|hooks|info\/attributes|commondir|modules)|\.vscode|\.envrc|\.mcp\.json)/;
  return Object.fromEntries(
    Object.entries(snapshot(scene.ws)).filter(([path, content]) =>
      pattern.test(path) && content !== "folder"
    ),
  );
}

for (const { name, calls } of SURFACES) {
  boxTest(`no command changes what the user's tools would execute, by ${name}`, async () => {
    using scene = makeScene({ ...REPOSITORY, "ws/changes": CHANGES.map((line) => `(${line})\n`).join("") });
    const before = protectedFiles(scene);
    const { answers } = await scene.batch([
      ...calls("bash changes > said 2>&1; echo tried"),
      { tool: "Bash", arguments: { command: "cat notes.txt" } },
    ], ["--config", scene.at("config.json")]);
    assert(answers.at(-2)!.text.includes("tried"), JSON.stringify(answers));
    assertEquals(protectedFiles(scene), before);
    assert(answers.at(-1)!.ok, JSON.stringify(answers.at(-1)));
  });

  boxTest(`what a command makes for the user's tools to execute is put aside, by ${name}`, async () => {
    using scene = makeScene({
      "ws/make": NEW_FILES.map((path) => `mkdir -p $(dirname ${path}); echo planted > ${path}\n`).join(""),
      "config.json": SURFACE_CONFIG,
    });
    const { answers, stderr } = await scene.batch([
      ...calls("bash make; echo x > done; echo made"),
      // What is open tells when it ends.
      { tool: "TerminalKill", arguments: { session_id: "term_1" } },
      { tool: "manus/bash", arguments: { restart: true } },
      { tool: "Bash", arguments: { command: "ls done" } },
    ], ["--config", scene.at("config.json")]);
    assertEquals(NEW_FILES.filter((path) => scene.exists(`ws/${path}`)), [], JSON.stringify(answers));
    assert(scene.exists("ws/done"));
    assertEquals(
      stderr.match(/: a program made or changed it/g)?.length ?? 0,
      0,
      "warnings are in the results",
    );
    const warnings = answers.flatMap(({ warnings }) => warnings);
    for (const path of NEW_FILES) {
      const folder = path.replace(/(\.vscode|\.idea|\.husky|\.claude|\.bulkhead)\/.*/, "$1");
      assert(warnings.some((warning) => warning.startsWith(`Moved "${scene.ws}/${folder}" to `)), path);
    }
  });

  boxTest(`no command reads a secret of the workspace, by ${name}`, async () => {
    using scene = makeScene({
      ...REPOSITORY,
      "ws/read": [
        "cat deep/er/.env deep/server.pem deep/.ssh/id_rsa",
        "grep -r hunter2 .",
        "cd deep/er && cat .env; cd -",
        "tar -cf - deep | strings",
        "cp deep/er/.env copy && cat copy",
        "ln deep/er/.env hard && cat hard",
        "ln -s deep/er/.env soft && cat soft",
        "mv deep moved; cat moved/er/.env moved/server.pem moved/.ssh/id_rsa",
        "mv moved/er/.env plain; cat plain",
        "git add -f moved && git diff --cached",
        "cat /proc/self/cwd/moved/er/.env",
        "find . -type f -exec cat {} +",
      ].join("\n"),
    });
    const { answers } = await scene.batch([
      ...calls("bash read > said 2>&1; cat said; echo tried"),
      { tool: "par/read", arguments: { path: "moved/er/.env" } },
      { tool: "Bash", arguments: { command: "find . -type f -exec cat {} +; cat plain" } },
    ], ["--config", scene.at("config.json")]);
    const text = JSON.stringify(answers);
    assert(text.includes("tried"), text);
    assert(!text.replaceAll("-r hunter2", "").includes("hunter2"), text);
    const left = Object.values(snapshot(scene.ws)).filter((content) => content.includes(SECRET));
    assertEquals(left.length, 3);
  });
}

boxTest("a file that the user names may be written", async () => {
  using scene = makeScene(REPOSITORY);
  const command = "echo changed > .envrc; echo changed > .mcp.json; cat deep/er/.env";
  const flags = [
    `--allow-write=${scene.ws},${scene.ws}/.mcp.json`,
    `--allow-secrets=${scene.ws}/deep/er/.env`,
  ];
  const { answers } = await scene.batch([{ tool: "Bash", arguments: { command } }], flags);
  assertEquals([scene.read("ws/.mcp.json"), scene.read("ws/.envrc")], ["changed\n", ""]);
  assert(answers[0]!.text.includes(SECRET));
});
