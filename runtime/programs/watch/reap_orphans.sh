#!/bin/sh
# Says which signals are ignored, as a mask in hexadecimal. Then waits for a word on stdin. If there is none, main was
# killed, and what it had started is ended: at once, and again for what was on its way. The way to the end of a box goes
# through the process that made it, and a box that was just being made does not have it yet. $3 is a script that kills what
# $1 and $2 name. $4 may be how the records of the programs begin: they are touched once their programs are dead.

while read -r name mask; do
  [ "$name" = SigIgn: ] && echo "$mask" && break
done </proc/self/status
exec >/dev/null
read -r word
[ "$word" = done ] && exit
for pause in 0.1 0.5 2 0; do
  eval "$3"
  [ -z "$4" ] || touch -c "$4".*
  sleep "$pause"
done
