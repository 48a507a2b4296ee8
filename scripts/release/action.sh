# What the steps of action.yml share. A step reads it; inputs come as variables alone, and are never words of a shell.

# Makes a file of this name in a new folder of the job, and prints its path.
make_file() {
  local folder
  folder=$(mktemp -d "$RUNNER_TEMP/bulkhead-XXXXXX")
  : > "$folder/$1"
  printf '%s\n' "$folder/$1"
}

# Reads OPTIONS, POLICY and SANDBOX into the array `words`. Blanks part options; quotes and backslashes keep them together.
# Nothing is expanded. A line that begins with # says nothing.
read_options() {
  words=()
  if [ -n "$POLICY" ]; then words+=("--policy=$POLICY"); fi
  if [ "$SANDBOX" != auto ]; then words+=("--sandbox=$SANDBOX"); fi
  local line number=0
  while IFS= read -r line || [ -n "$line" ]; do
    number=$((number + 1))
    case $line in '#'*) continue ;; esac
    split_line "${line%$'\r'}" "$number" || exit 2
  done <<< "$OPTIONS"
}

# Adds the words of a line to `words`.
split_line() {
  local line=$1 number=$2 word="" is_word=0 quote="" at char
  for ((at = 0; at < ${#line}; at++)); do
    char=${line:at:1}
    if [ -n "$quote" ]; then
      if [ "$char" = "$quote" ]; then
        quote=""
      elif [ "$char" = "\\" ] && [ "$quote" = '"' ] && [[ ${line:at+1:1} == ['"\']* ]]; then
        at=$((at + 1))
        word+=${line:at:1}
      else
        word+=$char
      fi
    else
      case $char in
        ' ' | $'\t')
          if [ "$is_word" = 1 ]; then words+=("$word"); fi
          word="" is_word=0
          ;;
        "'" | '"') quote=$char is_word=1 ;;
        "\\")
          at=$((at + 1)) is_word=1
          word+=${line:at:1}
          ;;
        *) word+=$char is_word=1 ;;
      esac
    fi
  done
  if [ -n "$quote" ]; then
    say error "options, line $number: the quote $quote has no end: $line"
    return 1
  fi
  if [ "$is_word" = 1 ]; then words+=("$word"); fi
}

# Runs a command whose lines must not be taken for commands of the runner. Its stdout stays what it is.
without_commands() {
  local mark code=0
  mark=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
  echo "::stop-commands::$mark" >&2
  "$@" || code=$?
  echo "::$mark::" >&2
  return "$code"
}

# Says something to the job: `error`, `warning` or `notice`. A text of others cannot end the line.
say() {
  local text=$2
  text=${text//'%'/%25}
  text=${text//$'\r'/%0D}
  echo "::$1::${text//$'\n'/%0A}"
}

# What a model or a file writes is no page: it stands as a text.
as_text() {
  tr '\r' '\n' | sed 's/^/    /'
}

# Prints how a run ended: its answer, and what was changed and refused.
sum_up_run() {
  echo "### bulkhead run ended with $1"
  as_text < "$3"
  echo
  local rows='
    def cell: tostring | gsub("[\\x00-\\x1f\\x7f]"; "?");
    (.changed // [] | map(["changed", .path, (.status // ""), "+\(.added // 0) -\(.removed // 0)"])) +
    (.refused // [] | map(["refused", .tool, "", ((.flags // []) | map(tostring) | join(" "))]))
    | .[] | map(cell) | join("  ")'
  if jq -e '(.changed // []) + (.refused // []) | length > 0' "$2" > /dev/null 2>&1; then
    echo "What was changed and refused:"
    echo
    jq -r "$rows" "$2" | as_text
    echo
  fi
}

# Sees that programs can run in a sandbox. Only a hosted runner is changed for it: it lives for this job alone.
set_up_sandbox() {
  case $1 in
    require | auto) ;;
    *) say error "sandbox is $1: write require, auto or off"; return 2 ;;
  esac
  if [ "$(uname -s)" != Linux ] || sandbox_works; then return 0; fi
  local missing=install
  if command -v bwrap > /dev/null; then missing=namespaces; fi
  if [ "${RUNNER_ENVIRONMENT:-}" = github-hosted ]; then
    if [ "$missing" = install ]; then
      say notice "bubblewrap is installed for the sandbox: apt-get install bubblewrap"
      { sudo -n apt-get update -qq && sudo -n apt-get install -y -qq bubblewrap; } > /dev/null || true
    fi
    if ! sandbox_works; then
      say notice "programs of this job may make user namespaces: sysctl kernel.apparmor_restrict_unprivileged_userns=0"
      sudo -n sysctl -q -w kernel.apparmor_restrict_unprivileged_userns=0 || true
    fi
    if sandbox_works; then return 0; fi
  fi
  local advice="allow user namespaces: sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0"
  if ! command -v bwrap > /dev/null; then advice="install it: sudo apt-get install bubblewrap"; fi
  if [ "$1" = require ]; then
    say error "There is no sandbox, and sandbox is require; $advice"
    return 1
  fi
  say warning "There is no sandbox: only programs that --allow-run names can run; $advice"
}

sandbox_works() {
  command -v bwrap > /dev/null && bwrap --unshare-all --ro-bind / / true > /dev/null 2>&1
}
