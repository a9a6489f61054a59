"""The procedure that looks for a proof."""
