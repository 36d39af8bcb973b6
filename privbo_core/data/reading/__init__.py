"""What a file's lines and cells mean beyond their characters: names, units, titles and sums, and which rows count."""
