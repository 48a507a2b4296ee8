/**
 * Folders of a home that hold what programs know of the user. Nothing shows them as a whole, or a folder around them,
 * unless the user names it.
 */
export const PERSONAL_FOLDERS: readonly string[] = [
  ...[".config", ".cache", ".local/share", ".local/state", ".mozilla", ".thunderbird", ".var", "snap"],
];
