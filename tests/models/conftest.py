"""Audits of these tests have runners that are forked."""

from tests.forked_runners import modules_are_imported_anew, runner_hosts

__all__ = ["modules_are_imported_anew", "runner_hosts"]
