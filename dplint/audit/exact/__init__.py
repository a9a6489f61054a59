"""Losses of pairs computed from the program, without a run: a table of one pair, and a procedure of the audit."""
