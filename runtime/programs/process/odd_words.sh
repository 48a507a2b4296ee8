#!/bin/bash
# Goes on to the words that follow: each is `plain TEXT`, or `odd BYTES` as printf writes them.

words=()
for word; do
  case $word in
    odd\ *) printf -v word %b "${word#odd }" ;;
    *) word=${word#plain } ;;
  esac
  words+=("$word")
done
exec "${words[@]}"
