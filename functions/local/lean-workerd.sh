#!/bin/sh
# Miniflare starts this program in place of workerd, and passes a configuration on stdin. The configuration must be adapted
# (adapt-config.mjs), for which miniflare has no option. Then this process becomes workerd, so that miniflare can kill it.
set -e
here=$(dirname "$0")
config=$(mktemp)
trap 'rm -f "$config"' EXIT
workerd=$(cd "$here" && node write-config.mjs "$config")
# The configuration has secrets in it, so the file is removed before the first request.
exec < "$config"
rm "$config"
exec "$workerd" "$@"
