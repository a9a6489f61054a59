"""Composition by contracts: what a claimed function spends by the claims of the functions that it calls."""
