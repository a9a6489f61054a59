"""Proofs by randomness alignment: a proposer that looks for one, and a checker that alone may say "proved".

`alignment` is the data that goes from the one to the other. The proposer makes runs of the checker, which
uses nothing of it.
"""
