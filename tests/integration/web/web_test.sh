#!/bin/bash
# Records one run of the demonstration program, makes pages, and looks at them in a browser.
set -euo pipefail
if ! command -v node >/dev/null || [ ! -x /usr/bin/chromium-headless-shell ]; then
  echo "skipped: node and chromium-headless-shell are not both installed: run scripts/setup"
  echo "0 passed, 0 failed, 1 skipped"
  exit
fi
exec node tests/integration/web/web_test.js "$@"
