"""The published test of Ding et al. (CCS 2018), for one claim and for a range of epsilons."""
