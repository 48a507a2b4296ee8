import { attackTests, bash, write } from "../attack.ts";

// Files that tools of the user execute by their names, and texts that agents follow.

/** One name of each kind that a tool executes without asking. */
const NAMES = [
  ...[".vscode/tasks.json", ".idea/workspace.xml", ".zed/settings.json", ".devcontainer/devcontainer.json"],
  ...[".nvim.lua", ".exrc", ".vimrc", ".dir-locals.el", "shop.code-workspace", ".run/all.run.xml"],
  ...[".gdbinit", ".lldbinit", ".pdbrc", ".Rprofile", ".irbrc", ".psqlrc"],
  ...[".claude/settings.json", ".gemini/settings.json", ".codex/config.toml", ".opencode/opencode.json"],
  ...[".windsurf/hooks.json", ".continue/config.yaml", ".roo/mcp.json", ".kiro/settings/mcp.json"],
  ...[".aider.conf.yml", "opencode.json", ".mcp.json"],
  ...[".yarnrc.yml", ".pnpmfile.cjs", ".yarn/releases/yarn.cjs", ".cargo/config.toml"],
  ...["mise.toml", ".mise.local.toml", ".config/mise/config.toml"],
  ...[".pre-commit-config.yaml", "lefthook.yml", ".lefthook/pre-commit/a.sh", ".husky/pre-commit"],
  ...[".hg/hgrc", ".jj/repo/config.toml", ".ripgreprc", ".tmux.conf", ".bash_completion", ".xprofile"],
  ...[".xsessionrc", ".pam_environment", ".config/systemd/user/a.service", ".config/autostart/a.desktop"],
  ...[
    ".config/environment.d/a.conf",
    ".config/direnv/direnvrc",
    ".local/bin/git",
    ".local/share/applications/a.desktop",
  ],
  ...["deep/er/.VSCode/tasks.json", "deep/.Cargo/Config"],
];
const TEXTS = ["AGENTS.md", "deep/CLAUDE.md", "GEMINI.md", ".cursorrules", ".github/copilot-instructions.md"];
/** They start something only when the user says so, or ask first, or are a project's ordinary files. */
const OPEN = [
  "package.json",
  "Makefile",
  ".tool-versions",
  ".gitmodules",
  ".gitignore",
  ".editorconfig",
  "src/hooks/a.ts",
];

/** A repository with what the user's own tools would execute. */
const REPOSITORY = {
  "ws/.git/HEAD": "ref: refs/heads/main\n",
  "ws/.git/config": "[core]\n\trepositoryformatversion = 0\n\tbare = false\n",
  "ws/.git/hooks/pre-commit": "#!/bin/sh\n",
  "ws/.git/objects/kept": "",
  "ws/.git/refs/heads/kept": "",
  "ws/.vscode/tasks.json": "{}\n",
  "ws/.envrc": "",
  "ws/.mcp.json": "{}\n",
  "ws/notes.txt": "plain\n",
};
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

const quoted = (names: readonly string[]) => names.map((name) => `'${name}'`).join(" ");

attackTests(1, [
  {
    id: "1-90",
    title: "names that tools of the user execute, by tools that write",
    calls: NAMES.flatMap((name) => write(`<at>/${name}`, "planted", "permission_denied")),
    unchanged: ["."],
  },
  {
    id: "1-91",
    title: "names that tools of the user execute, by a program",
    flags: ["--allow-run=bash"],
    calls: [bash(`for f in ${quoted(NAMES)}; do mkdir -p "$(dirname "$f")"; echo planted > "$f"; done`)],
    after: 'test -z "$(find . -type f)"',
  },
  {
    id: "1-92",
    title: "texts that agents follow, by tools that write",
    calls: TEXTS.map((name) => ({
      tool: "par/write",
      arguments: { path: `<at>/${name}`, content: "x", create_dirs: true },
      refusal: "ok" as const,
      says: "agents follow what it says",
    })),
  },
  {
    id: "1-93",
    title: "texts that agents follow, by a program",
    flags: ["--allow-run=bash"],
    setup: "echo mine > AGENTS.md",
    calls: [{
      ...bash("echo yours > AGENTS.md; echo other > GEMINI.md", "ok"),
      says: "agents follow what it says",
    }],
    needs: ["sandbox"],
  },
  {
    id: "1-94",
    title: "what is only a project's own stays open",
    calls: OPEN.flatMap((name) => write(`<at>/${name}`, "x", "ok").slice(1)),
  },
  {
    id: "1-95",
    title: "all that a program may do with such files which are there",
    flags: ["--allow-run=bash"],
    files: { ...REPOSITORY, "ws/changes": CHANGES.map((line) => `(${line})\n`).join("") },
    calls: [{ ...bash("bash changes > said 2>&1; echo tried", "ok"), says: "tried" }],
    unchanged: [".git/config", ".git/hooks", ".vscode", ".envrc", ".mcp.json"],
    absent: [".git/info/attributes", ".git/commondir", ".git/modules/m/hooks/pre-commit"],
    needs: ["sandbox"],
  },
]);
