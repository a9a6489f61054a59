"""Others that draw for an audit in the process of a test: nobody has to start, and nothing hangs on who is quicker."""

import pickle
from dataclasses import replace

from dplint.audit.betting.proposing import LessonRequest
from dplint.audit.drawing import Drawer
from dplint.audit.procedures import audit, audit_procedures


class Somebody:
    """A progress with somebody who draws: answers come at once, or not before they have been given up."""

    def __init__(self, job, *, worth=1e-9, answers=lambda lesson, _number: True, change=lambda request: request):
        self.spare, self.worth = 2, worth
        self.lessons, self.counts = [], 0
        self._drawer, self._answers, self._change = Drawer(job), answers, change

    def __call__(self, *_):
        """Nobody looks."""

    def close(self):
        """End the runner of whoever draws."""
        self._drawer.close()

    def ask(self, asked, _series):
        requests = pickle.loads(asked)
        is_lesson = isinstance(requests[0], LessonRequest)
        if is_lesson:
            self.lessons += requests
        else:
            self.counts += 1
        answered = self._answers(is_lesson, len(self.lessons))
        return Ticket(self._drawer.draw(pickle.dumps([self._change(one) for one in requests])) if answered else None)


class Ticket:
    def __init__(self, answer):
        self.answer = answer

    def wait(self, _seconds):
        return self.answer is not None


def outcome(job, progress):
    found = audit(job, progress, audit_procedures())
    return replace(found.outcome, effort=replace(found.outcome.effort, seconds=0.0)), found.state


def alone(*_):
    """A progress of somebody who has nobody."""
