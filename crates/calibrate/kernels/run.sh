#!/bin/sh
# Measures this machine: what it is, then round after round of the plan, until the time is over.
set -u

program=${NUMALAB_KERNELS:-$(dirname "$0")/numalab-kernels}
output=host.jsonl
budget=120
rounds=5
tiny=

usage() {
    echo "usage: run.sh [-o FILE] [-b SECONDS] [-r ROUNDS] [-t]" >&2
    echo "  -o  file to write (host.jsonl)" >&2
    echo "  -b  seconds for all (120)" >&2
    echo "  -r  rounds, so that what drifts is seen (5)" >&2
    echo "  -t  tiny sizes and one round: whether everything works" >&2
    exit 2
}

number() {
    case $2 in
    '' | *[!0-9]* | 0*) echo "run.sh: $1: expected a whole number above 0, found '$2'" >&2; exit 2 ;;
    esac
}

while getopts o:b:r:t option; do
    case $option in
    o) output=$OPTARG ;;
    b) budget=$OPTARG; number -b "$budget" ;;
    r) rounds=$OPTARG; number -r "$rounds" ;;
    t) tiny=--tiny; rounds=1 ;;
    *) usage ;;
    esac
done
shift $((OPTIND - 1))
[ $# -eq 0 ] || usage
if [ ! -x "$program" ]; then
    echo "run.sh: $program is not there: build it with \`make\` first" >&2
    exit 1
fi

# A file under its name is complete, or as complete as it was when somebody stopped it.
part=$output.part
plan=$output.plan
finish() {
    rm -f "$plan"
    [ -s "$part" ] && mv "$part" "$output"
}
stopped() {
    printf '\nstopped: %s has what was measured until now\n' "$output" >&2
    finish
    exit 130
}
trap stopped INT TERM HUP

if ! "$program" host >"$part" || ! "$program" plan $tiny >"$plan"; then
    rm -f "$part" "$plan"
    exit 1
fi
lines=$(wc -l <"$plan")
start=$(date +%s)
done_lines=0
failed=0
round=1
while [ "$round" -le "$rounds" ]; do
    number_of_line=0
    while read -r experiment options; do
        number_of_line=$((number_of_line + 1))
        spent=$(($(date +%s) - start))
        [ "$spent" -lt "$budget" ] || [ -n "$tiny" ] || break 2
        printf '\rround %d/%d, %d/%d %-20s' "$round" "$rounds" "$number_of_line" "$lines" "$experiment" >&2
        # What is left, evenly; a part of it goes to preparing memory.
        left=$((lines * rounds - done_lines))
        ms=$(((budget - spent) * 700 / left))
        seconds=$((ms / 1000)).$(printf '%03d' $((ms % 1000)))
        [ -z "$tiny" ] || seconds=0.01
        # shellcheck disable=SC2086 # the options are words
        if record=$("$program" "$experiment" $options seconds=$seconds </dev/null); then
            printf '%s\n' "$record" >>"$part"
        else
            failed=$((failed + 1))
        fi
        done_lines=$((done_lines + 1))
    done <"$plan"
    round=$((round + 1))
done
finish
printf '\r%d measurements in %d s, %d failed: %s          \n' "$done_lines" "$(($(date +%s) - start))" "$failed" "$output" >&2
[ "$failed" -eq 0 ]
