"""Tests and bounds on counts: pure numerics, no sampling and no state."""
