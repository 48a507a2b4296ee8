#!/bin/sh
# Waits for a word on stdin. If there is none, main was killed, and what it had started is ended: at once, and again for
# what was on its way. The way to the end of a box goes through the process that made it, and a box that was just being
# made does not have it yet. $3 is a script that kills what $1 and $2 name.

read -r word
[ "$word" = done ] && exit
for pause in 0.1 0.5 2 0; do
  eval "$3"
  sleep "$pause"
done
