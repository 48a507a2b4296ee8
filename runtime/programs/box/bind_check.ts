/** What a check that failed says, as bubblewrap says its own failures. */
const FAILURE = "bwrap: a folder was moved while the sandbox was made, try again";

/**
 * Goes on to the words after the $1 paths that follow, if each of these is a mount of what lies there anyway: what is
 * mounted is told by its path below the mount above it. Only builtins; the names do not disturb the program's own.
 */
const CHECK = `
bulkhead_left=$1
shift
while [ "$bulkhead_left" -gt 0 ] && read -r bulkhead_id bulkhead_up bulkhead_device bulkhead_root bulkhead_at bulkhead_rest; do
  case $bulkhead_id$bulkhead_up in *[!0-9]*) continue ;; esac
  eval "bulkhead_root_$bulkhead_id=\\$bulkhead_device:\\$bulkhead_root bulkhead_at_$bulkhead_id=\\$bulkhead_at"
  [ "$bulkhead_at" = "$1" ] || continue
  eval "bulkhead_root_up=\\$bulkhead_root_$bulkhead_up bulkhead_at_up=\\$bulkhead_at_$bulkhead_up"
  bulkhead_below=\${bulkhead_at#"\${bulkhead_at_up%/}"}
  [ "$bulkhead_device:\${bulkhead_root%/}" = "\${bulkhead_root_up%/}$bulkhead_below" ] || continue
  shift
  bulkhead_left=$((bulkhead_left - 1))
done </proc/self/mountinfo
if [ "$bulkhead_left" != 0 ]; then
  echo '${FAILURE}' >&2
  exit 1
fi
exec "$@"
`;

/**
 * Returns words to stand before a program: they start it only if folders that a box mounts over themselves are what they
 * should be. Bubblewrap looks each of them up by its path, and other programs may put a link in its place meanwhile.
 *
 * @param paths In the order of their mounts
 * @param shell Absolute path in the box
 */
export function bindCheck(paths: readonly string[], shell: string): string[] {
  if (paths.length === 0) return [];
  return [shell, "-c", CHECK, "bulkhead", String(paths.length), ...paths.map(asInMountinfo)];
}

function asInMountinfo(path: string): string {
  return path.replace(/[ \t\n\\]/g, (char) => `\\${char.charCodeAt(0).toString(8).padStart(3, "0")}`);
}
