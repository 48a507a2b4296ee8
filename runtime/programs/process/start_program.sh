#!/bin/sh
# Starts a program in its own place: the words after the first six. These may be empty:
# $1 is the process whose child this must be, if a box is started;
# $2 are the control groups, with colons between, that this process enters before anything of the program runs;
# $3 is a filter of system calls for descriptor 4: `stdin` if that brings it and nothing else, or as printf writes it, which
# needs bash;
# $4 is `report` for what tells on descriptor 3 whom it started: that comes first on stderr; `attached` for a program that
# has the streams of main, where nothing may be told; `around` for a terminal around such a program, with stderr on 5.
# $5 is a text for descriptor 6, which a box makes a file of.
# $6 is a process whose network the box joins.
# The environment is the program's: a name of its own must not be changed here.

if [ -n "$1" ]; then
  # Bubblewrap ends with its parent as it finds it: if main has ended before, nothing is to start any more.
  [ "$PPID" = "$1" ] || exit 1
  # Descriptors that bulkhead itself was started with: an open folder among them would lead out of the box. Not every sh
  # can close one of two digits: then it fails, and nothing starts.
  for bulkhead_fd in /proc/self/fd/* /dev/fd/*; do
    bulkhead_fd=${bulkhead_fd##*/}
    case $bulkhead_fd in [3-9] | [1-9][0-9]*) eval "exec $bulkhead_fd>&-" ;; esac
  done
fi
# A folder as stdin would lead out of the box.
if [ "$4" = attached ] && [ -d /dev/fd/0 ]; then exec </dev/null; fi
if [ -n "$2" ]; then
  IFS=:
  for bulkhead_group in $2; do echo 0 >"$bulkhead_group/cgroup.procs" || exit 1; done
  unset IFS
fi
# Other shells cannot read the second form. What takes the shell's place must not find a child that it does not know:
# script would spin.
case $3 in
  '') ;;
  stdin) exec 4<&0 </dev/null ;;
  *) eval 'exec 4< <(printf "$3"); wait "$!" 2>/dev/null' ;;
esac
if [ -n "$5" ]; then
  exec 6<<END
$5
END
fi
# A number may belong to another process by now. This machine's own network is none to join.
if [ -n "$6" ] && ! [ -e "/proc/$6/ns/net" ]; then exit 1; fi
if [ -n "$6" ] && [ "/proc/$6/ns/net" -ef /proc/self/ns/net ]; then exit 1; fi
bulkhead_told=$4
shift 6
case $bulkhead_told in
  report) exec "$@" 3>&2 ;;
  attached) exec "$@" 3>/dev/null ;;
  around) exec "$@" 3>/dev/null 5>&2 ;;
esac
exec "$@"
