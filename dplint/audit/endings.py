"""What ends an audit before it has an answer."""


class OutOfTime(Exception):
    """No time is left for this mechanism, for the reason given."""


class Cancelled(Exception):
    """Somebody asked the audit to end; what is known so far is its outcome."""


class NothingToRun(Exception):
    """No input could be made, for the reason given."""
