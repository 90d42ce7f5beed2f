#!/bin/sh
# Installs the packages of table.json into DIR: fetch.sh DIR
set -eu
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1"
cd "$1"
[ -f package.json ] || echo '{"private": true}' >package.json
node -e '
  for (const p of require(process.argv[1])) {
    console.log(p.install ? `${p.package}@npm:${p.install}@${p.version}` : `${p.package}@${p.version}`);
  }' "$here/table.json" | xargs npm install --no-audit --no-fund --ignore-scripts
