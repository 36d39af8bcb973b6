"""The command `privbo`: starts the app, from wherever it was installed."""

import privbo_core  # noqa: F401 - before all else: from then on Ctrl-C ends it with a sentence
