"""One file for each definition of privacy."""
