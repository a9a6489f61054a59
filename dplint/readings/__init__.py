"""Interpretations: ways to execute a program. Each is one file or folder, and none imports another."""
