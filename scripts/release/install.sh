#!/bin/sh
# Installs bulkhead for the user who runs it: fetches the archive for this system, checks its sum, and copies the program,
# its manual page and completions below a folder.
#   install.sh [--prefix DIR] [--from URL] [--version VERSION] [--sha256 SUM]
# VERSION and SUM are those that the archive of this system must have. DIR is ~/.local unless named. URL is the folder of a release, https:// or file://. Needs curl or wget, tar, and sha256sum
# or shasum. The program is put in its place last: if something is wrong, an older one stays as it was.
set -eu

release_url=${BULKHEAD_RELEASE_URL:-@RELEASE_URL@}
prefix=${BULKHEAD_PREFIX:-${HOME:-}/.local}
wanted_version=
wanted_sum=

main() {
  while [ $# -gt 0 ]; do
    case $1 in
      --prefix) prefix=$(value_of "$@"); shift 2 ;;
      --prefix=*) prefix=${1#*=}; shift ;;
      --from) release_url=$(value_of "$@"); shift 2 ;;
      --from=*) release_url=${1#*=}; shift ;;
      --version) wanted_version=$(value_of "$@"); shift 2 ;;
      --version=*) wanted_version=${1#*=}; shift ;;
      --sha256) wanted_sum=$(value_of "$@"); shift 2 ;;
      --sha256=*) wanted_sum=${1#*=}; shift ;;
      -h | --help) echo "usage: install.sh [--prefix DIR] [--from URL] [--version VERSION] [--sha256 SUM]"; exit 0 ;;
      *) fail 2 "unknown word $1; known are --prefix DIR, --from URL, --version VERSION and --sha256 SUM" ;;
    esac
  done
  case $release_url in
    "" | @*) fail 2 "this script knows no release; name its folder with --from URL" ;;
  esac
  release_url=${release_url%/}
  # Sums that come the same way as the program are no help against who changes both on the way.
  case $release_url in
    https://*) scheme=https ;;
    file://*) scheme=file ;;
    http://127.0.0.1:* | http://localhost:*) scheme=http ;;
    *) fail 2 "cannot fetch from $release_url: name an address with https:// or file://" ;;
  esac
  case $prefix in
    /.local | "") fail 2 "there is no home folder; name another one with --prefix DIR" ;;
    /*) ;;
    *) prefix=$PWD/$prefix ;;
  esac
  system=$(system_name)

  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  trap 'exit 130' INT
  trap 'exit 143' HUP TERM

  fetch SHA256SUMS
  name=$(sed -n "s/^[0-9a-f]\{64\}  \(bulkhead-[0-9][^ /]*-$system\.tar\.gz\)\$/\1/p" "$work/SHA256SUMS")
  case $name in
    "") fail 1 "this release has no program for $system" ;;
    *"
"*) fail 1 "this release names more than one program for $system" ;;
  esac
  [ -z "$wanted_version" ] || [ "$name" = "bulkhead-$wanted_version-$system.tar.gz" ] ||
    fail 1 "this release has $name, and version $wanted_version is wanted; nothing was installed"
  fetch "$name"
  wanted=$(sed -n "s/^\([0-9a-f]\{64\}\)  $name\$/\1/p" "$work/SHA256SUMS")
  found=$(sum_of "$work/$name")
  [ "$wanted" = "$found" ] || fail 1 "the checksum of $name is wrong: $found, expected $wanted; nothing was installed"
  [ -z "$wanted_sum" ] || [ "$wanted_sum" = "$found" ] ||
    fail 1 "the checksum of $name is $found, and $wanted_sum is wanted; nothing was installed"

  tar -xzf "$work/$name" -C "$work"
  from=$work/${name%.tar.gz}
  "$from/bulkhead" version >/dev/null || fail 1 "the program does not run on this system; nothing was installed"
  put "$from/man/bulkhead.1" share/man/man1/bulkhead.1 644
  put "$from/completions/bulkhead.bash" share/bash-completion/completions/bulkhead 644
  put "$from/completions/_bulkhead" share/zsh/site-functions/_bulkhead 644
  put "$from/completions/bulkhead.fish" share/fish/vendor_completions.d/bulkhead.fish 644
  put "$from/LICENSE" share/doc/bulkhead/LICENSE 644
  put "$from/THIRD_PARTY.txt" share/doc/bulkhead/THIRD_PARTY.txt 644
  put "$from/bulkhead" bin/bulkhead 755

  echo "installed $("$prefix/bin/bulkhead" version) as $prefix/bin/bulkhead"
  case :${PATH:-}: in
    *:"$prefix/bin":*) ;;
    *) echo "$prefix/bin is not on your PATH yet" ;;
  esac
}

# value_of OPTION VALUE…
value_of() {
  [ $# -gt 1 ] || fail 2 "$1 needs a value"
  printf %s "$2"
}

# As the archives are called.
system_name() {
  case $(uname -s) in
    Linux) os=linux ;;
    Darwin) os=darwin ;;
    *) fail 1 "there is no program for $(uname -s); on Windows unpack the archive of kind zip" ;;
  esac
  case $(uname -m) in
    x86_64 | amd64) cpu=x64 ;;
    aarch64 | arm64) cpu=arm64 ;;
    *) fail 1 "there is no program for the processor $(uname -m)" ;;
  esac
  if [ "$os" = linux ] && [ -e "/lib/ld-musl-$(uname -m).so.1" ] && ! [ -e /lib64/ld-linux-x86-64.so.2 ] &&
    ! [ -e /lib/ld-linux-aarch64.so.1 ]; then
    fail 1 "the program needs the C library of GNU, which this system does not have"
  fi
  echo "$os-$cpu"
}

# fetch NAME: a file of the release, into the work folder.
fetch() {
  if [ "$scheme" = file ] && ! command -v curl >/dev/null 2>&1; then
    cp "${release_url#file://}/$1" "$work/$1" && return
  elif command -v curl >/dev/null 2>&1; then
    curl -fsSL --proto "=$scheme" --proto-redir "=$scheme" --retry 2 -o "$work/$1" "$release_url/$1" && return
  elif command -v wget >/dev/null 2>&1; then
    wget -q -O "$work/$1" "$release_url/$1" && return
  else
    fail 1 "neither curl nor wget is installed"
  fi
  fail 1 "cannot fetch $release_url/$1"
}

sum_of() {
  if command -v sha256sum >/dev/null 2>&1; then
    sha256sum "$1" | cut -d ' ' -f 1
  elif command -v shasum >/dev/null 2>&1; then
    shasum -a 256 "$1" | cut -d ' ' -f 1
  else
    fail 1 "neither sha256sum nor shasum is installed"
  fi
}

# put FILE PATH MODE: copies a file below the prefix; one that is in use or half written is never there.
put() {
  [ ! -d "$prefix/$2" ] || fail 1 "a folder is in the way: $prefix/$2; the program was not installed"
  if mkdir -p "$prefix/${2%/*}" && cp "$1" "$prefix/$2.new" && chmod "$3" "$prefix/$2.new" &&
    mv -f "$prefix/$2.new" "$prefix/$2"; then
    return
  fi
  rm -f "$prefix/$2.new" 2>/dev/null || true
  fail 1 "cannot write $prefix/$2; the program was not installed"
}

fail() {
  echo "bulkhead: $2" >&2
  exit "$1"
}

main "$@"
