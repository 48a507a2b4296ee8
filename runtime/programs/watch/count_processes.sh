#!/bin/bash
# Counts the processes of running programs and their memory, and ends a program that has more than $1, or more than $5
# kilobytes together: a fork bomb outruns whoever has to be told first, and what has not the first turn at a processor,
# where root can give it that.
#
# It reads `expect KEY`, which it answers by `ready KEY [GROUPS]`, then `add KEY PID session|tree inside|outside`, and at
# the end `del KEY`, which it answers by `gone KEY`; it says `over KEY processes|memory` of a program that it ends. Where
# the system lets it, each program gets a control group, which the program is to enter: then the kernel itself lets no bomb grow, and its end
# takes along whatever it started. $2 is whose child the program will be, $3 the variable of its environment that holds
# the key, and $4 is `groups`, or anything else for counting alone. It uses only builtins while programs run, so that it
# works on where no process can be started any more.

limit=$1
owner=$2
variable=$3
{ chrt --rr --pid 1 $$ || renice -n -20 -p $$; } >/dev/null
most_memory=$5
page=4
while read -r name value rest; do [[ $name != KernelPageSize: ]] || { page=$value && break; }; done </proc/self/smaps
declare -A expected roots kinds groups stores sessions
exec {never}<> <(:)
rest() { read -r -t "$1" -u "$never"; }

# Threads count in a group too; the limit is one of processes, and a group only keeps them from growing without end.
make_group() {
  local group=$1
  mkdir "$group" || return 1
  echo $((limit * 4)) >"$group/pids.max" && return 0
  rmdir "$group"
  return 1
}
can_enter() {
  local probe=$1/bulkhead-$$
  make_group "$probe" || return 1
  (echo 0 >"$probe/cgroup.procs")
  local code=$?
  rmdir "$probe"
  return $code
}
# Sets the folder where groups are made: below this process's own of the old kind, or the nearest of the new kind that
# hands the counting of processes down.
find_parent() {
  local id controllers path old= new= place fields kind
  while IFS=: read -r id controllers path; do
    [[ ,$controllers, != *,pids,* ]] || old=$path
    [[ -n $controllers ]] || new=$path
  done </proc/self/cgroup
  while read -r -a fields; do
    kind="${fields[*]:6}"
    kind=${kind#*- }
    place=${fields[4]}
    case $kind in
      'cgroup '*[\ ,]pids | 'cgroup '*[\ ,]pids,*) place+=${old#"${fields[3]%/}"} ;;
      'cgroup2 '*)
        place+=${new#"${fields[3]%/}"}
        while ! grep -qsw pids "$place/cgroup.subtree_control" && [[ $place == "${fields[4]}"/?* ]]; do
          place=${place%/*}
        done
        ;;
      *) continue ;;
    esac
    place=${place%/}
    can_enter "$place" && parent=$place && return
  done </proc/self/mountinfo
}
# Memory has a tree of groups of its own, or is counted in the same group.
find_store() {
  local id controllers path old= place fields kind
  while IFS=: read -r id controllers path; do
    [[ ,$controllers, != *,memory,* ]] || old=$path
  done </proc/self/cgroup
  [[ -n $old ]] || return
  while read -r -a fields; do
    kind="${fields[*]:6}"
    kind=${kind#*- }
    case $kind in 'cgroup '*[\ ,]memory | 'cgroup '*[\ ,]memory,*) ;; *) continue ;; esac
    place=${fields[4]}${old#"${fields[3]%/}"}
    place=${place%/}
    [[ $place != *:* && -w $place ]] && store=$place && return
  done </proc/self/mountinfo
}
# Says how the kernel is to hold the memory of a group.
bound_memory() {
  local bytes=$((most_memory * 1024))
  if [[ -e $1/memory.max ]]; then
    echo 0 >"$1/memory.swap.max"
    echo "$bytes" >"$1/memory.max"
  else
    echo "$bytes" >"$1/memory.limit_in_bytes" && echo "$bytes" >"$1/memory.memsw.limit_in_bytes"
  fi
}
# The kernel has ended one process of a group for the memory of all.
lacked_memory() {
  local name value file=$1/memory.events
  [[ -e $file ]] || file=$1/memory.oom_control
  while read -r name value; do
    [[ $name != oom_kill || $value == 0 ]] || return 0
  done <"$file"
  return 1
}
# What processes hold in memory, alone and together, without files of disks. A quick look comes first.
has_too_much() {
  local pid name value rest total=0
  for pid; do
    read -r name value rest <"/proc/$pid/statm" && ((total += value * page))
  done
  if ((total > most_memory)); then
    total=0
    for pid; do
      while read -r name value rest; do
        case $name in Pss_Anon: | Pss_Shmem: | SwapPss:) ((total += value)) ;; esac
      done <"/proc/$pid/smaps_rollup"
    done
    ((total <= most_memory)) || return 0
  fi
  # Files that are only in memory need not be mapped.
  ((++looks % 4 == 0)) || return 1
  local files=() device links file blocks
  for pid; do files+=(/proc/"$pid"/fd/*); done
  local -A counted=()
  total=0
  while read -r device links file blocks; do
    [[ $device == 1 && $links == 0 && -z ${counted[$file]} ]] || continue
    counted[$file]=1
    ((total += blocks / 2))
  done < <(stat -L -c '%d %h %i %b' "${files[@]}")
  ((total > most_memory))
}
end_group() {
  local round all
  for ((round = 0; round < 100; round++)); do
    mapfile -t all <"$1/cgroup.procs"
    ((${#all[@]})) || return
    kill -KILL "${all[@]}"
    # Only now: a shell that may start nothing more would end by itself, with a code of its own.
    echo 0 >"$1/pids.max"
    rest 0.01
  done
}
# What was killed may take its time to leave.
remove_group() {
  local round
  end_group "$1"
  for ((round = 0; round < 20; round++)); do
    rmdir "$1" && return
    rest 0.05
  done
}

remove_store() {
  local round
  for ((round = 0; round < 20; round++)); do
    rmdir "$1" && return
    rest 0.05
  done
}

count_tree() {
  local i task kids
  all=("$1")
  for ((i = 0; i < ${#all[@]} && i <= limit; i++)); do
    for task in /proc/${all[i]}/task/*/children; do
      kids=
      read -r kids <"$task"
      all+=($kids)
    done
  done
  count=${#all[@]}
}
# Orphans without a box leave the tree, so their session is looked up among all processes of the system.
count_sessions() {
  local file stat
  sessions=()
  for file in /proc/[0-9]*/stat; do
    stat=
    IFS= read -r -d "" stat <"$file"
    set -- ${stat##*) }
    [[ $1 == Z || -z $4 ]] || ((sessions[$4]++))
  done
}
end_tree() {
  # Among the first ones is that of a box: it takes all others along, and may not end with who made it yet.
  kill -KILL -- "-$1" "${all[@]:0:4}"
}
key_of() {
  local word
  while IFS= read -r -d "" word; do
    [[ $word == "$variable="* ]] && key=${word#*=} && return 0
  done <"/proc/$1/environ"
  return 1
}
# A program is here before main says its number: a fork bomb leaves main no time to.
scan_expected() {
  local task kids child key
  for task in /proc/$owner/task/*/children; do
    kids=
    read -r kids <"$task"
    for child in $kids; do
      key_of "$child" && [[ -n ${expected[$key]} ]] || continue
      count_tree "$child"
      ((count > limit)) || continue
      echo "over $key processes"
      end_tree "$child"
    done
  done
}
scan() {
  local key all over
  for key in "${!groups[@]}"; do
    mapfile -t all <"${groups[$key]}/cgroup.procs"
    if ((${#all[@]} > limit)); then
      echo "over $key processes"
    elif [[ -n ${stores[$key]} ]]; then
      lacked_memory "${stores[$key]}" || continue
      echo "over $key memory"
    else
      has_too_much "${all[@]}" || continue
      echo "over $key memory"
    fi
    end_group "${groups[$key]}"
  done
  ((${#expected[@]} == 0)) || scan_expected
  [[ " ${kinds[*]} " != *" session "* ]] || count_sessions
  for key in "${!roots[@]}"; do
    count_tree "${roots[$key]}"
    over=
    if ((count > limit || ${sessions[${roots[$key]}]:-0} > limit)); then
      over=processes
    elif has_too_much "${all[@]}"; then
      over=memory
    fi
    if [[ -n $over ]]; then
      echo "over $key $over"
      end_tree "${roots[$key]}"
      unset "roots[$key]" "kinds[$key]"
    fi
  done
  scanned=${EPOCHREALTIME//[!0-9]/}
}
# Makes the group of the next program before it asks: to make one takes other processes.
make_spare() {
  local name=bulkhead-$$-${EPOCHREALTIME//[!0-9]/}
  spare= spare_store=
  [[ -n $parent ]] && make_group "$parent/$name" || return
  spare=$parent/$name
  if [[ -e $spare/memory.max ]]; then
    bound_memory "$spare" && spare_store=$spare
  elif [[ -n $store && $spare != *:* ]] && mkdir "$store/$name"; then
    if bound_memory "$store/$name"; then spare_store=$store/$name; else rmdir "$store/$name"; fi
  fi
}
remove_both() {
  remove_group "$1"
  [[ -z $2 || $2 == "$1" ]] || remove_store "$2"
}
watch() {
  local key=$1 words=
  [[ -n $spare ]] || make_spare
  if [[ -n $spare ]]; then
    groups[$key]=$spare words=$spare
    if [[ -n $spare_store ]]; then
      stores[$key]=$spare_store
      [[ $spare_store == "$spare" ]] || words+=:$spare_store
    fi
    spare= spare_store=
  else
    expected[$key]=1
  fi
  echo "ready $key $words"
}
# Takes an empty group for the next program, unless what is left of this one would count against that.
keep_spare() {
  local all used=0 file
  [[ -z $spare ]] || return
  mapfile -t all <"$1/cgroup.procs"
  ((${#all[@]} == 0)) || return
  for file in "$2/memory.current" "$2/memory.usage_in_bytes"; do [[ ! -e $file ]] || read -r used <"$file"; done
  ((used < kept_bytes)) && echo $((limit * 4)) >"$1/pids.max" && spare=$1 spare_store=$2
}
drop_group() {
  local group=${groups[$1]} held=${stores[$1]}
  unset "groups[$1]" "stores[$1]"
  keep_spare "$group" "$held" || remove_both "$group" "$held"
}
unwatch() {
  local key=$1 group=${groups[$1]} held=${stores[$1]} lacked=
  unset "expected[$key]" "roots[$key]" "kinds[$key]" "groups[$key]" "stores[$key]"
  [[ -z $held ]] || ! lacked_memory "$held" || { lacked=1 && echo "over $key memory"; }
  [[ -z $group ]] || end_group "$group"
  echo "gone $key"
  [[ -n $group ]] || return
  [[ -z $lacked ]] && keep_spare "$group" "$held" && return
  remove_both "$group" "$held"
  [[ -n $spare ]] || make_spare
}
listen() {
  local part
  if ((${#roots[@]} + ${#expected[@]} + ${#groups[@]})); then
    IFS= read -r -t 0.2 part
  else
    IFS= read -r part
  fi
  local code=$?
  # The time may be up in the middle of a line: what was read of it counts.
  line+=$part
  return $code
}

parent= store= spare= looks=0 kept_bytes=$((64 * 1024 * 1024))
[[ $4 != groups ]] || find_parent
[[ -z $parent ]] || find_store
make_spare
scanned=0
line=
while :; do
  listen
  code=$?
  if ((code == 0)); then
    set -- $line
    line=
    case $1 in
      expect) watch "$2" ;;
      add)
        # The answer came too late for a program that is outside: its group stays empty.
        [[ -z ${groups[$2]} || $5 == inside ]] || drop_group "$2"
        [[ -n ${groups[$2]} ]] || { roots[$2]=$3 kinds[$2]=$4; }
        unset "expected[$2]"
        ;;
      del) unwatch "$2" ;;
    esac
    ((${EPOCHREALTIME//[!0-9]/} - scanned > 200000)) || continue
  elif ((code <= 128)); then
    for key in "${!groups[@]}"; do remove_both "${groups[$key]}" "${stores[$key]}"; done
    [[ -z $spare ]] || remove_both "$spare" "$spare_store"
    exit 0
  fi
  ((${#roots[@]} + ${#expected[@]} + ${#groups[@]} == 0)) || scan
done
