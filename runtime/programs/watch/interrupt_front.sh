#!/bin/sh
# Interrupts the front group of the terminal of process $1 if a typed Ctrl-C did not: it may be stuck behind input that
# nobody reads. What has its own way with SIGINT, or reads the keys itself, is left alone.

look() {
  stat= front=
  read -r stat <"/proc/$1/stat"
  set -- ${stat##*) }
  front=$6
  [ "${front:-0}" -gt 0 ] && read -r stat <"/proc/$front/stat" || exit
  while read -r name mask rest; do
    case $name$mask in Sig[BIC][lg][knt]:*[2367abef]) exit ;; esac
  done <"/proc/$front/status"
}
look "$1"
before=$front
sleep 0.1
look "$1"
[ "$front" = "$before" ] || exit
stty -a <"/proc/$1/fd/0" | grep -q -e -isig || kill -s INT -- "-$front"
