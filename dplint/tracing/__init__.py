"""Many runs of a function at once: the user's own function, called with values that are arrays with a row for each run.

A run is a *lane*. What is the same in all lanes is an ordinary object of Python; what differs is a `PerLane`. The
source is rewritten (`rewriting`) so that what may depend on noise asks a runtime: calls, branches, items. Python's own
heap and evaluator do the rest: objects, aliases, closures and iterators need no model.

Where lanes part at a decision, a branch is walked on both sides under masks and joined (`branches`), or the lanes are
*split*: the larger part goes on, the smaller begins again from the start with the draws that it has made (`lanes`). In
the limit a path has one lane and holds no `PerLane`: it is plain Python. So nothing is refused, some things are slow.

Not promised: that what comes out is what the function gives. Whoever calls this has to run some lanes of each input
again with the function itself, on the same draws, and compare. Runs in the user's interpreter: Python 3.9 and later,
the standard library and NumPy.
"""
