#!/bin/bash
# Goes on to the words that follow: each is `plain TEXT`, or `odd BYTES` as printf writes them.

bulkhead_words=()
for bulkhead_word; do
  case $bulkhead_word in
    odd\ *) printf -v bulkhead_word %b "${bulkhead_word#odd }" ;;
    *) bulkhead_word=${bulkhead_word#plain } ;;
  esac
  bulkhead_words+=("$bulkhead_word")
done
exec "${bulkhead_words[@]}"
