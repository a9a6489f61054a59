"""The audit of one mechanism: which inputs, which events, how many runs, and what follows from them."""
