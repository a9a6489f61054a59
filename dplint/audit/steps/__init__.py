"""Steps of private training: what one sample moves, over the noise that hides it, and what all steps spend by that."""
