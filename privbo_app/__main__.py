"""Start the app: `privbo`, or `python -m privbo_app`."""

import signal
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

from privbo_core.about import PROGRAM
from privbo_core.terminal import Parser, complain, ended

HERE = Path(__file__).parent
NEEDED = ("streamlit", "plotly")
"""What the app imports beyond the engine: the packages of the extra [app], by the names that they are imported by."""
INSTALL = "pip install 'privbo[app]'"


def main(arguments: Sequence[str] | None = None) -> int:
    """Serve the app until it is interrupted; what it is told beyond its own options goes to Streamlit.

    The engine, imported above, is there before the first visitor is: Streamlit runs nothing of the app until then.
    """
    return ended(lambda: _served(arguments), "Stopped.")


def _served(arguments: Sequence[str] | None) -> int:
    parser = Parser(
        prog="privbo",
        description="Serve PrivBO to this machine’s browser, at http://127.0.0.1:8501 unless told otherwise.",
        epilog="All other options go to Streamlit: --server.port 8502, for instance.",
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=PROGRAM)
    _, options = parser.parse_known_args(arguments)
    if missing := [name for name in NEEDED if find_spec(name) is None]:
        complain(f"The app needs packages that are not installed ({', '.join(missing)}): {INSTALL}")
        return 2
    from streamlit.web import cli

    script = (HERE if (HERE / "app.py").exists() else HERE.parent) / "app.py"
    unwatched = ["--server.fileWatcherType", "none"]  # unlike `streamlit run app.py`, for who changes the code
    signal.signal(signal.SIGINT, lambda number, frame: sys.exit(0))  # a server ends so, and has not failed
    cli.main(["run", str(script), *unwatched, *options], prog_name="privbo")  # reads the settings beside the script
    return 0


if __name__ == "__main__":
    sys.exit(main())
