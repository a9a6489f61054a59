"""Inputs of an audit: neighbouring pairs of data, and values for the other parameters."""
