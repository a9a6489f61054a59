"""What a function does with its data: an expression graph, and what can be said about the values in it.

The graph has a reader of its own, beside that of programs: those have to be certain, and rules to say something of
everything. It is not made from programs. Of 104 functions of public packages that add noise to data, 5 have complete
programs. Where parts are opaque, graphs made of programs lost 75 of 121 findings; 5 of 12 new ones were wrong.
"""
