#!/bin/sh
# Lists folders with find, which is $0. Before each name stand its facts: r, x or n says whether this user can list a
# folder, can only reach what is in it, or neither; then depth, type, mode, owner, device, number, links, size and times.
# Behind it stands what a link holds.
#   names FOLDERS…   the entries whose names are not plain, with the folder in front
#   below FOLDERS…   all that is below, and the folders themselves

kind=$1
shift
facts='%d %y %m %U %D %i %n %s %T@ %C@ '
if [ "$kind" = names ]; then
  exec "$0" "$@" -mindepth 1 -maxdepth 1 -name '*[! -~]*' -printf "r $facts%h\\0%f\\0%l\\0"
fi
exec "$0" "$@" \( ! -type d -o -readable -executable \) -printf "r $facts\\0%f\\0%l\\0" -o \
  -executable -printf "x $facts\\0%f\\0%l\\0" -o -printf "n $facts\\0%f\\0%l\\0"
