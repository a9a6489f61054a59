"""Source text: which files are checked, the claims in them, and their lowering to programs.

Import `dplint.source.read` and `dplint.source.files` for finding claims. LibCST is imported only when a file has to be
parsed, because that alone takes a fifth of a second.
"""
