// Files that the user's own tools would execute later. Names are compared without case, because some file systems do.

const PROTECTED = [
  /(^|\/)\.git$/i,
  // A `commondir` brings in the configuration of another folder, and a list of a rebase may hold commands.
  /(^|\/)\.git\/((modules|worktrees)\/(.*\/)?)?(hooks|config|config\.worktree|info\/attributes|gitdir|commondir|rebase-merge)(\/|$)/i,
  /(^|\/)\.(vscode|idea|husky|claude|cursor|bulkhead)(\/|$)/i,
  /(^|\/)\.(envrc|mcp\.json|gitconfig|profile|login|logout|inputrc|t?cshrc|kshrc)$/i,
  /(^|\/)\.(bashrc|bash_profile|bash_login|bash_logout|bash_aliases|zshrc|zshenv|zprofile|zlogin|zlogout)$/i,
  /(^|\/)\.config\/(fish|git|bulkhead)(\/|$)/i,
  /(^|\/)\.?bulkhead\.jsonc?$/i,
  // The same files where XDG_CONFIG_HOME is another folder.
  /(^|\/)bulkhead\/config\.jsonc?$/i,
];

/** Says whether the user's own tools would execute the file later, so that writing it needs a grant by name. */
export function isProtected(path: string): boolean {
  return PROTECTED.some((pattern) => pattern.test(path));
}
