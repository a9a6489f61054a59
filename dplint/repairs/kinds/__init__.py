"""One module a kind of edit."""
