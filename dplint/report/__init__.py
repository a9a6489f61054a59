"""Text from outcomes: pure functions, no analysis. Each format is a module, and a front end pays only for its own."""
