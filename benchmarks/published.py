"""Seconds that others published for the mechanisms of `fixtures/statdp`, as data. Nothing here was measured by us.

Ding, Wang, Wang, Zhang, Kifer: Detecting Violations of Differential Privacy, CCS 2018, Table 3: for one tested epsilon
on 32 logical cores (2 x Xeon E5-2620 v4), with 100,000 runs a side to select and 500,000 to test.
"""

from __future__ import annotations

STATDP_SECONDS = {
    "noisy_max_v1a": 4.32,
    "noisy_max_v1b": 9.49,
    "noisy_max_v2a": 4.25,
    "noisy_max_v2b": 8.70,
    "histogram": 10.39,
    "histogram_eps": 11.28,
    "svt": 1.99,
    "isvt1": 1.62,
    "isvt2": 4.56,
    "isvt3": 2.56,
    "isvt4": 22.97,
}
"""By mechanism."""
