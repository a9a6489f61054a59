"""Programs: a mechanism lowered to a small tree, the one evaluator that walks it, and the seam to its interpretations.

Nothing is imported here: front ends, which have to start at once, hand programs on and need to know none of this.
"""
