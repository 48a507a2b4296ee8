#!/bin/bash
# Changes one entry that Deno cannot name. Reads from its input, each up to a zero byte: the folder, the entry's name in it,
# its device and number, and then
#   move   the places where it may go: it goes to the first one on its disk, whose number is written
#   chmod  the bits to add and the bits to take away, in octal
# Only this entry is changed, also if the folders above it change meanwhile.

word() { IFS= read -r -d '' "$1"; }
fail() {
  echo "$1" >&2
  exit 1
}

# The path may be longer than the system takes.
enter() {
  local rest=${1#/} part
  cd -P -- / || return
  while [ -n "$rest" ]; do
    part=${rest:0:3000}
    [ "${#rest}" -le 3000 ] || part=${part%/*}
    cd -P -- "./$part" 2>/dev/null || return
    rest=${rest:${#part}}
    rest=${rest#/}
  done
}

word folder && word name && word identity || fail 'nothing was told'
enter "$folder" || fail 'its folder cannot be entered'
[ "$(stat -c %d:%i -- "./$name")" = "$identity" ] || fail 'another one has taken its place'
case $1 in
  chmod)
    word more && word less || fail 'nothing was told'
    mode=$(stat -c %a -- "./$name") && chmod -- "$(printf %o "$(((8#$mode | 8#$more) & ~8#$less))")" "./$name"
    ;;
  move)
    at=0
    while word place; do
      # On another disk, mv would make a copy, and read a file that its owner changes.
      if [ "$(stat -c %d -- "${place%/*}")" = "${identity%:*}" ] && mv -T -- "./$name" "$place"; then
        echo "$at"
        exit
      fi
      at=$((at + 1))
    done
    fail 'there is no place on its disk'
    ;;
esac
