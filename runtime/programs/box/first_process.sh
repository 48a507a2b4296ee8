#!/bin/sh
# Goes on to the words after the $2 paths that follow, if each of these is a mount of what lies there anyway: what is
# mounted is told by its path below the mount above it. Only builtins; the names do not disturb the program's own.
# With $1 it stays as the first process of the box until the program ends: it takes no signal meant for the program,
# and says nothing of the program's end. With the word "main" or "person" it tells them at the end what still runs: all
# of it ends now.

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
bulkhead_code=$?
[ "$bulkhead_stays" != stays ] || exit "$bulkhead_code"
# What ends just now is not left: it is looked for again.
bulkhead_round=0
while [ "$bulkhead_round" -lt 100 ]; do
  bulkhead_found=
  for bulkhead_at in /proc/[0-9]*; do
    [ "$bulkhead_at" != /proc/1 ] && read -r bulkhead_rest <"$bulkhead_at/stat" || continue
    case $bulkhead_rest in *') Z '*) continue ;; esac
    read -r bulkhead_rest <"$bulkhead_at/comm" || continue
    case "$bulkhead_found " in *" $bulkhead_rest "*) continue ;; esac
    bulkhead_found="$bulkhead_found $bulkhead_rest"
  done
  [ -n "$bulkhead_found" ] || exit "$bulkhead_code"
  bulkhead_round=$((bulkhead_round + 1))
done
case $bulkhead_stays in
  main) printf '\036bulkhead left%.400s\036' "$bulkhead_found" >&7 ;;
  *) printf 'bulkhead: what the program left running was ended with it:%.400s; to keep it, let the command wait for it\n' \
    "$bulkhead_found" >&7 ;;
esac
exit "$bulkhead_code"
