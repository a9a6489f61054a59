"""The checker: it alone may say that a claim is proved. It uses nothing of the proposer."""
