# Works on one file of the sandbox, within the sandbox: links that lead out of the folder lead nowhere there.
#
# sandbox_file.sh ROOT ACTION FOLDER NAME [WORDS]: FOLDER is absolute, NAME is what lies in it
#   make MODE [base64]  writes stdin, or what it encodes, to a new file, and makes missing folders
#   write MODE SUM   writes stdin over a file; MODE "" keeps its mode, SUM "" takes any content
#   read MOST        prints a file in base64, and before it a line with its checksum
#   remove           removes a file
#
# Exit codes: 10 outside, 11 is there, 12 is not there, 13 is a folder, 14 is no file, 15 was changed, 16 is too large.
umask 022
root=$1 action=$2 folder=$3 name=$4

if [ "$action" = make ]; then
  mkdir -p -- "$folder" || exit 1
fi
[ -d "$folder" ] || exit 12
cd -P -- "$folder" || exit 1
# A name may end with a line end, which $( ) drops.
at=$(pwd -P; printf x)
at=${at%?x}
case $at/ in
  "$root"/*) ;;
  *) exit 10 ;;
esac
file=./$name

# Where a link leads, that is what is read and written.
follow() {
  [ -L "$file" ] || return 0
  real=$(readlink -f -- "$file"; printf x)
  real=${real%?x}
  case $real in
    "$root"/*) ;;
    *) exit 10 ;;
  esac
  file=$real
}

check() {
  [ -e "$file" ] || exit 12
  [ -d "$file" ] && exit 13
  [ -f "$file" ] || exit 14
}

sum() {
  sha256sum <"$file" | cut -c 1-64
}

case $action in
  make)
    [ -e "$file" ] && exit 11
    [ -L "$file" ] && exit 11
    temporary=$(mktemp ./.sandbox-XXXXXX) || exit 1
    trap 'rm -f -- "$temporary"' EXIT
    if [ "$6" = base64 ]; then base64 -d; else cat; fi >"$temporary" && chmod -- "$5" "$temporary" || exit 1
    ln -T -- "$temporary" "$file" 2>/dev/null && exit 0
    [ -e "$file" ] && exit 11
    mv -f -- "$temporary" "$file" || exit 1
    ;;
  write)
    follow
    check
    [ -z "$6" ] || [ "$(sum)" = "$6" ] || exit 15
    temporary=$(mktemp "${file%/*}/.sandbox-XXXXXX") || exit 1
    trap 'rm -f -- "$temporary"' EXIT
    chmod --reference="$file" -- "$temporary" 2>/dev/null || cp -p -- "$file" "$temporary" || exit 1
    cat >"$temporary" || exit 1
    [ -z "$5" ] || chmod -- "$5" "$temporary" || exit 1
    mv -f -- "$temporary" "$file" || exit 1
    ;;
  read)
    follow
    check
    [ "$(wc -c <"$file")" -le "$5" ] || exit 16
    sum
    head -c "$5" -- "$file" | base64 -w 0
    ;;
  remove)
    [ -e "$file" ] || [ -L "$file" ] || exit 12
    [ -L "$file" ] || [ ! -d "$file" ] || exit 13
    rm -f -- "$file" || exit 1
    ;;
esac
