# A script that starts ten programs, in the background, in pipes and in place.
work() { local i=0; while [ $i -lt "$1" ]; do i=$((i + 1)); done; echo "$i"; }
work 30000
for i in 1 2 3; do work 20000 & done
wait
seq 1 20000 | sort -n -r | tail -1
ls / | wc -l >/dev/null
trap 'echo trapped' USR1
kill -USR1 $$
(exit 3)
echo "status $?"
sh -c 'kill -TERM $$'
echo "status $?"
cat <<END | tr a-z A-Z
words
END
date -u -d @0 +%Y
printf '%s\n' b a | sort
timeout 0.1 sleep 5
echo "status $?"
exec sh -c 'echo last; exit 7'
