"""Claims for functions that have none: what the noise is added to, what it is scaled by, and how that is used."""
