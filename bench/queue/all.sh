#!/usr/bin/env bash
# All scale figures of the queue at full size, each part within its own time: bench/queue/all.sh [file for the tables]
set -uo pipefail
cd "$(dirname "$0")/../.."
file=${1:-bench/queue/figures.md}
node=node_modules/node/bin/node
: >"$file"
failed=0
# Seconds that a part may take: storing 100,000 runs takes longest.
for part in drive:600 claim:1200 sleep:900 wake:180 memory:180; do
  timeout "${part#*:}" "$node" --conditions=@bailiwick/source --expose-gc --no-warnings \
    bench/queue/queue.mjs --only "${part%:*}" | tee -a "$file" || {
    echo "| ${part%:*} did not end within ${part#*:} seconds |" | tee -a "$file"
    failed=1
  }
done
exit "$failed"
