"""The process that runs user code, and the client that talks to it.

`client`, `process`, `batch`, `drawn` and `decode` belong to dplint's worker. All other files run in the user's own
interpreter, loaded as the package `_dplint.runner` beside `_dplint.distributions`: Python 3.9 and later, standard
library and NumPy only, relative imports only. `frames` and `literals` serve both sides.
"""
