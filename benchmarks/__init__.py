"""Benchmarks: each is a script of its own; this makes `published` importable."""
