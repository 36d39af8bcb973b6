"""What a release's guarantee is about, on Audit and Trade-off."""

SECRET = "that a record is the real one"
