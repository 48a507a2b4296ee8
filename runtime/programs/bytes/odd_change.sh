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

# On another disk, mv would make a copy, and read a file that its owner changes.
go() {
  local at
  for at in "${!places[@]}"; do
    [ "$(stat -c %d -- "${places[at]%/*}")" = "${identity%:*}" ] || continue
    mv -T -- "./$name" "${places[at]}" 2>/dev/null && echo "$at" && return
  done
  return 1
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
    places=()
    while word place; do places+=("$place"); done
    go && exit
    # A program may have set a mode that forbids it.
    mode=$(stat -c %a .)
    chmod u+rwx . && { [ -h "./$name" ] || [ ! -d "./$name" ] || chmod u+rwx "./$name"; }
    go
    code=$?
    chmod "$mode" .
    [ "$code" = 0 ] || fail 'there is no place on its disk, or the system forbids it'
    ;;
esac
