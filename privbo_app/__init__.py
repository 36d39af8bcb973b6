"""The command `privbo`: starts the app, from wherever it was installed."""
