#!/bin/sh
# Goes on to the words after the $2 paths that follow, if each of these is a mount of what lies there anyway: what is
# mounted is told by its path below the mount above it. Only builtins; the names do not disturb the program's own.
# With $1 it stays as the first process of the box until the program ends: it takes no signal meant for the program,
# and says nothing of the program's end.

bulkhead_stays=$1
bulkhead_left=$2
shift 2
while [ "$bulkhead_left" -gt 0 ] && read -r bulkhead_id bulkhead_up bulkhead_device bulkhead_root bulkhead_at bulkhead_rest; do
  case $bulkhead_id$bulkhead_up in *[!0-9]*) continue ;; esac
  eval "bulkhead_root_$bulkhead_id=\$bulkhead_device:\$bulkhead_root bulkhead_at_$bulkhead_id=\$bulkhead_at"
  [ "$bulkhead_at" = "$1" ] || continue
  eval "bulkhead_root_up=\$bulkhead_root_$bulkhead_up bulkhead_at_up=\$bulkhead_at_$bulkhead_up"
  bulkhead_below=${bulkhead_at#"${bulkhead_at_up%/}"}
  [ "$bulkhead_device:${bulkhead_root%/}" = "${bulkhead_root_up%/}$bulkhead_below" ] || continue
  shift
  bulkhead_left=$((bulkhead_left - 1))
done </proc/self/mountinfo
if [ "$bulkhead_left" != 0 ]; then
  echo 'bwrap: a folder was moved while the sandbox was made, try again' >&2
  exit 1
fi
[ -n "$bulkhead_stays" ] || exec "$@"
trap : HUP INT QUIT TERM
exec 7>&2 2>/dev/null
(exec "$@" 2>&7 7>&-)
exit
