# Makes, moves, reads and removes something in an overlay, also what was there before. $1 is empty below the mount.
cd -- "$1" || exit 1
[ "$2" = empty ] || [ -n "$(ls -A)" ] || { echo "it shows nothing" >&2; exit 1; }
n=.bulkhead-try-$$
mkdir "$n" && echo one > "$n/a" && mv "$n/a" "$n/b" && [ "$(cat "$n/b")" = one ] && rm -r "$n" || exit 1
for f in * .[!.]*; do
  [ -f "$f" ] && [ ! -L "$f" ] || continue
  rm -f -- "$f" && [ ! -e "$f" ]
  exit
done
exit 0
