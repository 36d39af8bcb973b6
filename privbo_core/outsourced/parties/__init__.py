"""Two parties who optimise together for real: one holds the data, one chooses what to test; files pass between them."""
