#!/bin/sh
# workerd with flags for V8, in place of workerd itself: miniflare passes it a configuration on stdin, and has no option
# for them. What miniflare kills must be workerd, so this becomes it. WORKERD_LOG is a file for the log, which else
# miniflare reads.
set -e
here=$(dirname "$0")
config=$(mktemp)
trap 'rm -f "$config"' EXIT
workerd=$(cd "$here" && node --import tsx add-v8-flags.ts "$config")
# There are secrets in it: it is gone before anyone is served.
exec < "$config"
rm "$config"
if [ -n "$WORKERD_LOG" ]; then
  exec >> "$WORKERD_LOG"
fi
exec "$workerd" "$@"
