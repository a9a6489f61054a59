"""The relations that have a name: one file each, with `RELATION` in it."""
