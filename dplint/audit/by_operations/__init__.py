"""Functions that are read by what they do: residual programs as programs that losses and proofs are worked out of."""
