"""Find HAProxy for `make test-scale`, or install it; this fails if there is none."""

import os
import shutil
import subprocess
import sys


def install() -> None:
    if hasattr(os, "geteuid") and os.geteuid() == 0 and shutil.which("apt-get"):
        quietly = {"env": {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}}
        subprocess.run(["apt-get", "update", "-qq"], check=False, **quietly)
        subprocess.run(["apt-get", "install", "-y", "-qq", "haproxy"], check=False, **quietly)


if __name__ == "__main__":
    if shutil.which("haproxy") is None:
        install()
    if shutil.which("haproxy") is None:
        sys.exit(
            "The test of several servers behind a proxy needs HAProxy and none could be found or installed. "
            "Install it (on Debian: apt-get install haproxy)."
        )
