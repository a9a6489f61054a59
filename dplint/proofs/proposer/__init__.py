"""The proposer: looks for a certificate by linear programs over samples. What it says is for the checker to judge."""
