"""Studies of one's own: a small file that says what is compared on what, made into an experiment like the papers'."""
