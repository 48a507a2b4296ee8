#!/usr/bin/env bash
# prepare_user.sh take|leave OWN NAME ID BINARY SOURCE CACHE: makes in OWN what user ID needs to start the program from
# root's home, shared by all files of a run of tests: each takes it under a name, and the last that leaves removes it.
set -eu
verb=$1 own=$2 name=$3 id=$4 binary=$5 source=$6 cache=$7
exec 9<"$source"
flock 9
if [ "$verb" = leave ]; then
  rm "$own/takers/$name"
  rmdir --ignore-fail-on-non-empty "$own/takers"
  [ -e "$own/takers" ] || rm -rf "$own"
  exit
fi
# copy FOLDER: other tests fill the cache meanwhile, and their temporary files may be gone before they are copied.
copy() {
  cp -rl "$1" "$own/cache/" 2>/dev/null && return
  rm -rf "$own/cache/${1##*/}"
  cp -r "$1" "$own/cache/" || echo "not all of $1 was copied" >&2
}
if [ ! -e "$own" ]; then
  mkdir -p "$own/takers" "$own/cache" "$own/source"
  # Links are quick, and enough where the file system is the same.
  cp -lL "$binary" "$own/program" 2>/dev/null || cp -L "$binary" "$own/program"
  if [ -e "$cache" ]; then
    find "$cache" -maxdepth 1 -type f -exec cp {} "$own/cache/" \;
    for folder in npm gen remote; do
      [ ! -e "$cache/$folder" ] || copy "$cache/$folder"
    done
    find "$own/cache" -maxdepth 1 -type f -exec chown "$id:$id" {} +
    find "$own/cache" -type d -exec chown "$id:$id" {} +
  fi
  if ! setpriv --reuid="$id" --regid="$id" --clear-groups test -r "$source/main.ts"; then
    cp -r "$source"/{main.ts,deno.json,deno.lock,runtime,schemas,tools,scripts} "$own/source/"
    chmod -R go+rX "$own/source"
  fi
fi
touch "$own/takers/$name"
