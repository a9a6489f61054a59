"""What a function does with its data: an expression graph, and what can be said about the values in it."""
