"""Find HAProxy for `make test-scale`, or install it; this fails if there is none."""

import shutil
import sys

from ensure_browser import by_apt

if __name__ == "__main__":
    if shutil.which("haproxy") is None:
        by_apt("haproxy")
    if shutil.which("haproxy") is None:
        sys.exit(
            "The test of several servers behind a proxy needs HAProxy and none could be found or installed. "
            "Install it (on Debian: apt-get install haproxy)."
        )
