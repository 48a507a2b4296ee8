#!/bin/sh
# Sends signal $1 to all processes below process $2, those of ended parents left out, and to process $3, which may be
# empty. With $4, the only child of process $2 is left out too. Only builtins, so it never forks.

list() {
  for task in /proc/$1/task/*/children; do
    kids=
    read -r kids <"$task"
    all="$all $kids"
    for kid in $kids; do list "$kid"; done
  done
}
all=$3
top=$2
[ -z "$4" ] || read -r top <"/proc/$2/task/$2/children"
[ -z "$top" ] || list "$top"
[ -z "$all" ] || { kill -s "$1" $all; kill -s CONT $all; }
