# Starts a display, which the last words are, and a window manager on it. Standard input and output become a connection
# to the display. $1 is the window manager, $2 its settings, $3 its menu; $4 words follow, which are a program to start.

exec 3<&0 4>&1 </dev/null >&2
manager=$1 settings=$2 menu=$3 count=$4
shift 4
program=("${@:1:count}")
shift "$count"
"$@" 3<&- 4>&- &
display=$!
until { exec 5<>/dev/tcp/127.0.0.1/6000; } 2>/dev/null; do
  kill -0 "$display" 2>/dev/null || exit 1
  sleep 0.03
done
own=$TMPDIR/desktop
mkdir -p "$own"
# The window manager goes to the home, and its programs must not.
printf 'cd %q && exec "$@"\n' "$PWD" >"$own/run"
printf %s "${menu//RUN_FILE/"$own/run"}" >"$own/menu.xml"
printf %s "${settings/MENU_FILE/"$own/menu.xml"}" >"$own/settings.xml"
# The window manager starts this once it takes clicks; some programs show no window if they come before it.
printf ': >%q\n' "$own/ready" >"$own/start"
[ "$count" = 0 ] || printf '%q ' exec bash "$own/run" "${program[@]}" >>"$own/start"
"$manager" --sm-disable --config-file "$own/settings.xml" --startup "bash $own/start" 3<&- 4>&- 5>&- &
until [ -e "$own/ready" ]; do
  kill -0 $! 2>/dev/null || exit 1
  sleep 0.02
done
cat <&3 >&5 4>&- &
cat <&5 >&4 3<&-
