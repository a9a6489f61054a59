"""Bets against the claim, whose money is evidence at whatever moment one looks."""
