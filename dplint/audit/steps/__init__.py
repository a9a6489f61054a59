"""Private training: what one sample moves of a step, over the noise that hides it, and what all steps spend by that.

What guesses of canaries say of whole trainings.
"""
