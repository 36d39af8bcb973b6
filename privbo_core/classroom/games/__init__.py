"""What a class plays: one experiment a module, each an `Experiment`."""
