"""One file for each distribution, with its object as `DISTRIBUTION`: a new file here is a new distribution."""
