// Files that the user's own tools would execute later. Names are compared without case, because some file systems do.

/** Names in one folder that start nothing, but lead git to what does, or git's own. */
const GIT = [
  String.raw`\.git$`,
  // A `commondir` brings in the configuration of another folder, and a list of a rebase may hold commands.
  String
    .raw`\.git/((modules|worktrees)/(.*/)?)?(hooks|config|config\.worktree|info/attributes|gitdir|commondir|rebase-merge)(/|$)`,
];

/** Each group with the reason why a tool executes it without asking. */
const GROUPS: readonly (readonly string[])[] = [
  GIT,
  // Other version control runs hooks, editors and pagers of the repository's own settings.
  [
    String.raw`\.hg/(hgrc|hgrc-not-shared|sharedpath)$`,
    String.raw`\.jj/(repo/config|repo$|[\w-]*config)[^/]*$`,
  ],
  // Editors run tasks, linters and scripts of a folder that was trusted once, and containers their first command.
  [
    String.raw`\.(vscode|idea|run|zed|fleet|devcontainer|vim|nvim|emacs\.d)(/|$)`,
    String.raw`\.(exrc|vimrc|gvimrc|nvimrc|nvim\.lua|lvimrc|emacs|dir-locals(-2)?\.el|devcontainer\.json)$`,
    String.raw`[^/]*\.code-workspace$`,
  ],
  // Agents start the servers and run the hooks that their settings name.
  [
    String
      .raw`\.(claude|cursor|gemini|codex|opencode|windsurf|continue|roo|kiro|amazonq|qwen|junie|factory)(/|$)`,
    String.raw`(\.mcp\.json|\.claude\.json|\.aider\.conf\.yml|\.?(opencode|crush)\.jsonc?)$`,
  ],
  // bulkhead's own settings; also where XDG_CONFIG_HOME is another folder.
  [String.raw`\.bulkhead(/|$)`, String.raw`\.?bulkhead\.jsonc?$`, String.raw`bulkhead/config\.jsonc?$`],
  // Hooks of git that are installed run what these name.
  [
    String.raw`\.(husky|lefthook|lefthook-local)(/|$)`,
    String.raw`(\.pre-commit-config\.ya?ml|\.?lefthook(-local)?\.(ya?ml|toml|jsonc?)|\.overcommit\.yml)$`,
  ],
  // Package managers run the program, the plugin or the wrapper that these name with every command.
  [
    String.raw`\.(yarnrc(\.yml)?|pnpmfile\.[cm]?js)$`,
    String.raw`\.yarn/(releases|plugins|sdks)(/|$)`,
    String.raw`\.cargo/config(\.toml)?$`,
  ],
  // Environment managers run them when a shell enters a folder that was trusted once.
  [
    String.raw`(\.envrc|\.?(mise|rtx)(\.[\w-]+)*\.toml)$`,
    String.raw`(\.?mise|\.config/mise)/(config|conf\.d)[^/]*(/|$)`,
  ],
  // Shells, logins and terminals read them at their start.
  [
    String
      .raw`\.(profile|login|logout|inputrc|t?cshrc|kshrc|gitconfig|bash(rc|_profile|_login|_logout|_aliases|_completion))$`,
    String.raw`\.z(shrc|shenv|profile|login|logout)$`,
    String
      .raw`\.(xprofile|xsession(rc)?|xinitrc|xserverrc|pam_environment|tmux\.conf|screenrc|lessfilter|lesskey)$`,
    String.raw`\.(ripgreprc|mailcap|muttrc|procmailrc|forward)$`,
  ],
  // Debuggers and interpreters read them in the folder where they start.
  [
    String
      .raw`\.(gdbinit|gdbearlyinit|lldbinit|pdbrc|pdbrc\.py|rprofile|octaverc|irbrc|pryrc|iex\.exs|ocamlinit)$`,
    String.raw`\.(ghci|erlang|psqlrc|sqliterc|perldb|pythonrc|pythonrc\.py|pythonstartup)$`,
  ],
  // Where a home is granted: desktops, services and shells run what lies there.
  [
    String
      .raw`\.config/(fish|git|jj|hg|bulkhead|systemd|autostart|autostart-scripts|environment\.d|plasma-workspace)(/|$)`,
    String.raw`\.config/(direnv|mise|nvim|vim|zed|tmux|zsh|sway|i3|hypr|helix|kitty|user-dirs\.dirs)(/|$)`,
    String.raw`\.config/(code|code - oss|vscodium|cursor)(/|$)`,
    String.raw`\.local/bin(/|$)`,
    String.raw`\.local/share/(applications|systemd|dbus-1|bash-completion|nautilus)(/|$)`,
    String.raw`\.(ipython/profile[^/]*|jupyter|julia/config|docker/cli-plugins)(/|$)`,
  ],
];
const PROTECTED = new RegExp(`(?:^|/)(?:${GROUPS.flat().join("|")})`, "i");

/** Every protected name starts with a dot, or like this. */
const WITHOUT_DOT = /^(?:bulkhead|lefthook|mise|rtx|opencode|crush|[^/]*\.code-workspace$)/i;

/** Texts that agents follow in their next run, and servers after a push: they are told, not refused. */
const INSTRUCTIONS =
  /(?:^|\/)(?:(?:agents?|agents\.override|claude|claude\.local|gemini|qwen|crush|warp)\.md|\.(?:cursorrules|windsurfrules|clinerules|roorules|goosehints)(?:-\w+)?(?:\/.*)?|\.agents\/.*|\.github\/(?:copilot-instructions\.md|(?:instructions|prompts|agents|workflows|actions)\/.*)|\.gitlab-ci\.yml|\.circleci\/.*)$/i;
const MAY_INSTRUCT = /^(?:agent|claude|gemini|qwen|crush|warp)/i;

/** All rules by which paths are told, as a text: what was found by others is found anew. */
export const PATH_RULES: string = [PROTECTED, WITHOUT_DOT, INSTRUCTIONS, MAY_INSTRUCT].map(({ source }) =>
  source
)
  .join(" ");

/** Says whether the user's own tools would execute the file later, so that writing it needs a grant by name. */
export function isProtected(path: string): boolean {
  return PROTECTED.test(path);
}

/**
 * Says whether a name can belong to a protected file or to instructions; walks ask it first, as most names cannot.
 *
 * @param hasDot A folder above it has a name with a dot at its start
 */
export function isSuspicious(name: string, hasDot: boolean): boolean {
  return hasDot || name.startsWith(".") || WITHOUT_DOT.test(name) || MAY_INSTRUCT.test(name);
}

/** Says whether agents or servers would follow what stands in the file, though no tool of the user executes it. */
export function isInstructions(path: string): boolean {
  return INSTRUCTIONS.test(path) && !isProtected(path);
}

/** Returns what a person is told about a change of such a file. */
export function instructionsChanged(path: string): string {
  const who = /\.(?:github\/(?:workflows|actions)|gitlab-ci|circleci)/i.test(path)
    ? "a server runs what it says after a push"
    : "agents follow what it says";
  return `"${path}" was made or changed: ${who}, so read it before`;
}
