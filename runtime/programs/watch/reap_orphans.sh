#!/bin/sh
# Says which signals are ignored, as a mask in hexadecimal. Then waits for the word "done" on stdin, and meanwhile hears of
# private folders of programs, one a line: "folder PATH", and "removed PATH" once it is gone. If the word never comes, main was
# killed, and what it had started is ended: at once, and again for what was on its way. The way to the end of a box goes
# through the process that made it, and a box that was just being made does not have it yet. $3 is a script that kills what
# $1 and $2 name. $4 may be how the records of the programs begin: they are touched once their programs are dead. Then the private folders go.

while read -r name mask; do
  [ "$name" = SigIgn: ] && echo "$mask" && break
done </proc/self/status
exec >/dev/null
folders=
while read -r word path; do
  case $word in
    done) exit ;;
    folder) folders="$folders$path
" ;;
    removed) folders=$(printf '%s' "$folders" | grep -vxF -e "$path")
      folders="$folders${folders:+
}" ;;
  esac
done
for pause in 0.1 0.5 2 0; do
  eval "$3"
  [ -z "$4" ] || touch -c "$4".*
  printf '%s' "$folders" | while read -r path; do rm -rf -- "$path"; done
  sleep "$pause"
done
