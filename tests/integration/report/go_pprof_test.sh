#!/bin/bash
# Reads an export with `go tool pprof`, a foreign reader of the format. Its sums must equal the sums of `ompprof
# report`, to the last sample.
#   go_pprof_test.sh OMPPROF MADE_UP_PROFILE LIBRARY
set -euo pipefail
ompprof=$1 made_up_profile=$2 library=$3
if ! command -v go > /dev/null; then
  echo "skipped: go is not installed (package golang-go): run scripts/setup"
  echo "0 passed, 0 failed, 1 skipped"
  exit
fi
export HOME=$TEST_TMPDIR PPROF_TMPDIR=$TEST_TMPDIR

profile=$TEST_TMPDIR/made_up.ompprof
export_file=$TEST_TMPDIR/made_up.pb.gz
"$made_up_profile" "$profile" 5000 2 "$library"

fail() { echo "FAILED: $*" >&2; exit 1; }
pprof() { go tool pprof "$@" "$export_file" 2> "$TEST_TMPDIR/pprof_stderr" || fail "go tool pprof $*: $(cat "$TEST_TMPDIR/pprof_stderr")"; }
# A number member of the JSON report, at the outermost level.
member() { sed -n "s/^  \"$1\": \([0-9]*\),\?\$/\1/p" "$TEST_TMPDIR/report.json"; }

# The sum of a number member over the functions of the JSON report.
sum() { awk -v key="\"$1\":" '/^  "functions"/ { on = 1 } /^  \]/ { on = 0 } on && $1 == key { sub(",", "", $2); s += $2 }
  END { printf "%.0f\n", s }' "$TEST_TMPDIR/report.json"; }

# Compares each function's own samples and total with the JSON report, as -top has them (with the options given).
same_functions() {
  local what=$1
  shift
  pprof -top -sample_index=samples -nodecount=100000 -nodefraction=0 "$@" > "$TEST_TMPDIR/top"
  awk 'seen { name = $6; for (i = 7; i <= NF; i++) name = name " " $i; print name "\t" $1 "\t" $4 } /flat%/ { seen = 1 }' \
    "$TEST_TMPDIR/top" | sed 's/ (inline)\t/\t/; s/ (partial-inline)\t/\t/' | sort > "$TEST_TMPDIR/theirs"
  awk '/^  "functions"/ { on = 1 } /^  \]/ { on = 0 }
    on && /"name"/ { sub(/^ *"name": "/, ""); sub(/",$/, ""); name = $0 }
    on && /"self_samples"/ { gsub(/[^0-9]/, ""); self = $0 }
    on && /"total_samples"/ { gsub(/[^0-9]/, ""); print name "\t" self "\t" $0 }' "$TEST_TMPDIR/report.json" |
    sort > "$TEST_TMPDIR/ours"
  [ -s "$TEST_TMPDIR/ours" ] || fail "$what: no functions in the JSON report"
  diff "$TEST_TMPDIR/ours" "$TEST_TMPDIR/theirs" || fail "$what: functions differ (ours <, pprof's >)"
}

for view in user machine; do
  "$ompprof" export --format=pprof --view=$view -o "$export_file" "$profile"
  cp "$export_file" "$TEST_TMPDIR/$view.pb.gz"
  "$ompprof" report --format=json --view=$view "$profile" > "$TEST_TMPDIR/report.json"

  # Totals: sums over -raw's sample lines ("  1  2345678  0  500: 3 2 1").
  pprof -raw > "$TEST_TMPDIR/raw"
  read -r samples weight wait blame < <(awk '/^Samples:/ { on = 1; next } /^Locations/ { on = 0 }
    on && /^ *[0-9]+ +[0-9]+ +[0-9]+ +[0-9]+:/ { sub(":", "", $4); s += $1; w += $2; t += $3; b += $4 }
    END { printf "%.0f %.0f %.0f %.0f\n", s, w, t, b }' "$TEST_TMPDIR/raw")
  [ "$samples" = "$(member samples)" ] || fail "$view: pprof sums $samples samples, ompprof $(member samples)"
  [ "$weight" = "$(member sampled_cpu_ns)" ] || fail "$view: pprof sums $weight ns, ompprof $(member sampled_cpu_ns)"

  # A function's own waits and blame, summed over all functions, are the whole.
  [ "$wait" -gt 0 ] && [ "$wait" = "$(sum wait_ns)" ] || fail "$view: pprof sums $wait ns of waiting, ompprof $(sum wait_ns)"
  [ "$blame" -gt 0 ] && [ "$blame" = "$(sum blame_ns)" ] || fail "$view: pprof sums $blame ns of blame, ompprof $(sum blame_ns)"

  same_functions "$view"
done

# --hide and --show-from mean the same as pprof's options.
"$ompprof" export --format=pprof -o "$export_file" "$profile"
"$ompprof" report --format=json --hide='^compute$' "$profile" > "$TEST_TMPDIR/report.json"
same_functions hide -hide='^compute$'
"$ompprof" report --format=json --show-from='omp parallel' "$profile" > "$TEST_TMPDIR/report.json"
same_functions show-from -show_from='omp parallel'

# The labels, and the other views of stock pprof, on the user view.
"$ompprof" export --format=pprof "$profile" > "$export_file"
pprof -tags > "$TEST_TMPDIR/tags"
for expected in ' thread: ' ' omp_state: ' ' region: ' ' wait_id: ' ' phase: ' 'solve/assemble' 'ompt_state_work_parallel' 'omp parallel team.c'; do
  grep -q -- "$expected" "$TEST_TMPDIR/tags" || fail "-tags lacks '$expected': $(cat "$TEST_TMPDIR/tags")"
done
pprof -tree > "$TEST_TMPDIR/tree"
grep -q 'omp parallel team.c' "$TEST_TMPDIR/tree" || fail "-tree lacks the region"
pprof -top -tagfocus=thread=2 > "$TEST_TMPDIR/focus"
grep -q '<omp critical>' "$TEST_TMPDIR/focus" || fail "-tagfocus: made-up frames have lost their names"
grep -q "$library" "$TEST_TMPDIR/raw" || fail "-raw lacks the mapping"

# The tree by a label, the difference between two exports, and the flame graph of pprof's own page.
pprof -tree -tagroot=omp_state > "$TEST_TMPDIR/tree"
grep -q 'ompt_state_work_parallel' "$TEST_TMPDIR/tree" || fail "-tagroot=omp_state: no state is at the root: $(head -20 "$TEST_TMPDIR/tree")"
pprof -top -diff_base="$export_file" > "$TEST_TMPDIR/difference"
grep -q 'Showing nodes accounting for 0' "$TEST_TMPDIR/difference" || fail "-diff_base of itself is not 0: $(head -5 "$TEST_TMPDIR/difference")"
pprof -top -sample_index=samples -diff_base="$TEST_TMPDIR/machine.pb.gz" > "$TEST_TMPDIR/difference"
grep -q '^ *-' "$TEST_TMPDIR/difference" || fail "-diff_base: the user view less the machine view has nothing below 0"
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
"$made_up_profile" "$TEST_TMPDIR/small.ompprof" 300 2 "$library"
"$ompprof" export --format=pprof -o "$TEST_TMPDIR/small.pb.gz" "$TEST_TMPDIR/small.ompprof"
go tool pprof -http="127.0.0.1:$port" -no_browser "$TEST_TMPDIR/small.pb.gz" > "$TEST_TMPDIR/http" 2>&1 &
server=$!
trap 'kill $server 2> /dev/null || true' EXIT
python3 - "$port" "$TEST_TMPDIR/flamegraph" << 'END' || fail "-http: $(cat "$TEST_TMPDIR/http")"
import sys, time, urllib.request
for attempt in range(300):
    try:
        page = urllib.request.urlopen(f"http://127.0.0.1:{sys.argv[1]}/ui/flamegraph").read()
        open(sys.argv[2], "wb").write(page)
        sys.exit(0)
    except OSError:
        time.sleep(0.1)
sys.exit(1)
END
kill $server
for expected in compute 'omp parallel team.c'; do
  grep -q "$expected" "$TEST_TMPDIR/flamegraph" || fail "-http: the flame graph lacks '$expected'"
done

# Several processes are told apart.
"$ompprof" export --format=pprof -o "$TEST_TMPDIR/two.pb.gz" "$profile" "$TEST_TMPDIR/small.ompprof"
go tool pprof -tags "$TEST_TMPDIR/two.pb.gz" > "$TEST_TMPDIR/tags" 2> /dev/null
for expected in ' process: ' ' host: ' ' thread: '; do
  grep -q -- "$expected" "$TEST_TMPDIR/tags" || fail "-tags of two processes lacks '$expected'"
done

# C++ names: -top has the short names, and -raw the full names behind them.
"$made_up_profile" "$TEST_TMPDIR/cxx.ompprof" 2000 2 "$made_up_profile"
"$ompprof" export --format=pprof --view=machine -o "$TEST_TMPDIR/cxx.pb.gz" "$TEST_TMPDIR/cxx.ompprof"
go tool pprof -top -nodecount=100000 -nodefraction=0 "$TEST_TMPDIR/cxx.pb.gz" > "$TEST_TMPDIR/top" 2> /dev/null
grep -q ' ompprof::Record::IsInitialized\( \|$\)' "$TEST_TMPDIR/top" || fail "-top lacks a short name: $(head -20 "$TEST_TMPDIR/top")"
go tool pprof -raw "$TEST_TMPDIR/cxx.pb.gz" > "$TEST_TMPDIR/raw_cxx" 2> /dev/null
grep -q ' ompprof::Record::IsInitialized .*(ompprof::Record::IsInitialized() const)' "$TEST_TMPDIR/raw_cxx" ||
  fail "-raw lacks the full name: $(grep -m3 IsInitialized "$TEST_TMPDIR/raw_cxx")"

# The folded export has the same samples.
folded=$("$ompprof" export --format=folded "$profile" | awk '{ s += $NF } END { printf "%.0f\n", s }')
[ "$folded" = "$samples" ] || fail "folded sums $folded samples, pprof $samples"
echo "$samples samples, $weight ns: the same everywhere"
