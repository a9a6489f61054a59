"""For those who extend dplint: tests that what they have written must pass. Nothing else in dplint imports this."""
