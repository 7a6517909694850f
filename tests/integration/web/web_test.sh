#!/bin/bash
# Records one run of the demonstration program, makes pages, and looks at them in a browser.
set -euo pipefail
if ! command -v node >/dev/null || [ ! -x /usr/bin/chromium-headless-shell ]; then
  echo "node and chromium-headless-shell are wanted: scripts/setup installs them" >&2
  exit 1
fi
exec node tests/integration/web/web_test.js
