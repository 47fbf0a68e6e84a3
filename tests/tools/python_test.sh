#!/usr/bin/env bash
# Goal: the package of tools/python does what its page shows.
# Method: its unit tests, and the page itself, line by line. python_test.sh DIBS CHECKOUT
set -euo pipefail
DIBS=$(readlink -f -- "$1")
export DIBS
cd -- "$2"
export PYTHONPATH=tools/python PYTHONDONTWRITEBYTECODE=1 LC_ALL=C.UTF-8
# Debian's pandas is of Debian's Python, which need not be the first in the path.
for python in python3 /usr/bin/python3; do
  if "$python" -c 'import pandas' 2>/dev/null; then
    "$python" tests/tools/python_package.py
    exec "$python" -m doctest -o NORMALIZE_WHITESPACE tools/python/README.md
  fi
done
echo "there is no pandas for python3: its tests are skipped"
