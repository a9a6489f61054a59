"""Features of outputs, events over them, and the search for the event that tells two inputs apart."""
