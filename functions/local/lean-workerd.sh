#!/bin/sh
# workerd as it is served from here, in place of workerd itself: miniflare passes it a configuration on stdin, which has to
# be adapted (adapt-config.ts), and has no options for that. What miniflare kills must be workerd, so this becomes it.
# WORKERD_LOG is a file for the log, which else miniflare reads.
set -e
here=$(dirname "$0")
config=$(mktemp)
trap 'rm -f "$config"' EXIT
workerd=$(cd "$here" && node --import tsx adapt-config.ts "$config")
# There are secrets in it: it is gone before anyone is served.
exec < "$config"
rm "$config"
if [ -n "$WORKERD_LOG" ]; then
  exec >> "$WORKERD_LOG"
fi
exec "$workerd" "$@"
