"""Models of the noise of functions that only calls can run: which pair to bet on, and on which event."""
