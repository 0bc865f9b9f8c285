#!/bin/sh
# Miniflare starts this program in place of workerd, and passes a configuration on stdin. It goes to stdout, and the
# arguments for workerd, a line each, to stderr (generate-config.ts). Miniflare is told that workerd listens.
set -e
for argument; do
  case $argument in --socket-addr=entry=*) port=${argument##*:} ;; esac
done
printf '%s\n' "$@" >&2
cat
printf '{"event":"listen","socket":"entry","port":%d}\n' "$port" >&3
