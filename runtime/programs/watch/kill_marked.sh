#!/bin/sh
# Kills what carries the mark $1 or is of the terminal session $2, again until nothing is left that could start more.
# Session 0 is none. Says what it found first, by name.

round=0
while [ $round -lt 20 ]; do
  found=$(
    grep -lsaF -e "$1" /proc/[0-9]*/environ
    [ "$2" = 0 ] || grep -lsE "\\) [^ZX] [0-9]+ [0-9]+ $2 " /proc/[0-9]*/stat
  )
  [ -n "$found" ] || break
  for file in $found; do
    file=${file#/proc/}
    [ $round != 0 ] || { read -r name <"/proc/${file%%/*}/comm" && printf '%s ' "$name"; }
    kill -s KILL "${file%%/*}"
  done
  round=$((round + 1))
done
