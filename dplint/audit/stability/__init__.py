"""Functions without noise: how far neighbouring inputs move their outputs, by pairs."""
