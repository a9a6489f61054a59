"""The checker: it alone may say that a claim is proved. It shares no code with the proposer."""
