"""Proofs by randomness alignment: a proposer that looks for one, and a checker that alone may say "proved".

`alignment` is the data that goes from the one to the other; they share no code but that, the programs and the claims.
"""
