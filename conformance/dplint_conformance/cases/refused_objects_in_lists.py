"""Objects of lists that change, and that somebody else may have or see."""

from dataclasses import dataclass, field


class _Cell:
    def __init__(self, x):
        self.x = x
        self.seen = []

    def add(self, y):
        self.x += y
        return self.x

    def note(self, y):
        self.seen.append(y)

    def check(self, y):
        self.x += y
        return 1 / (self.x - 1.0)


def object_of_a_list_under_a_name(rng, queries):
    cells = [_Cell(q) for q in queries]
    first = cells[0]
    first.add(rng.normal())
    return cells[0].x


def object_in_two_places(rng, queries):
    cells = [_Cell(1.0)] * 2
    cells[0].add(rng.normal())
    return cells[1].x


def object_behind_its_loop(rng, queries):
    cells = [_Cell(q) for q in queries]
    for cell in cells:
        cell.add(rng.normal())
    cell.add(1)
    return cells[-1].x


def objects_in_another_order(rng, queries):
    cells = [_Cell(q) for q in queries]
    for cell in cells:
        cells.reverse()
        cell.add(rng.normal())
    return [cell.x for cell in cells]


def objects_of_another_list(rng, queries):
    cells = [_Cell(q) for q in queries]
    others = list(cells)
    for cell in cells:
        cell.add(rng.normal())
    return [other.x for other in others]


def object_half_changed(rng, queries):
    cells = [_Cell(q) for q in queries]
    for cell in cells:
        try:
            cell.check(round(rng.random()))
        except ZeroDivisionError:
            pass
    return [cell.x for cell in cells]


def argument_that_changes_the_object(rng, queries):
    cells = [_Cell(q) for q in queries]
    for cell in cells:
        cell.add(cell.add(rng.normal()))
    return [cell.x for cell in cells]


def list_that_an_object_of_a_list_holds(rng, queries):
    cells = [_Cell(q) for q in queries]
    for cell in cells:
        cell.note(rng.normal())
    return [cell.seen for cell in cells]


def object_that_two_loops_have(rng, queries):
    cells = [_Cell(q) for q in queries]
    for cell in cells:
        for cell in cells:
            cell.add(rng.normal())
        cell.add(1)
    return [cell.x for cell in cells]


def object_that_a_lambda_has(rng, queries):
    cells = [_Cell(q) for q in queries]
    later = [lambda y: cell.add(y) for cell in cells]
    later[0](rng.normal())
    return [cell.x for cell in cells]


def list_that_grows(rng, queries):
    cells = [_Cell(q) for q in queries]
    for cell in cells:
        if cell.add(rng.normal()) > 3:
            cells.append(_Cell(-9.0))
    return [cell.x for cell in cells]


def list_that_two_objects_hold(rng, queries):
    shared = [rng.normal()]
    cells = [_Cell(shared), _Cell(shared)]
    for cell in cells:
        cell.x += [1.0]
    return cells[0].x, cells[1].x


def property_that_is_assigned(rng, queries):
    cells = [_Half(q) for q in queries]
    for cell in cells:
        if rng.random() < 0.2:
            cell.half = 1.0
    return [cell.half for cell in cells], rng.normal()


class _Half:
    def __init__(self, x):
        self.x = x

    @property
    def half(self):
        return self.x / 2


class _Held:
    def __init__(self, items=None):
        self.items = []
        self.given = items

    def all_of_them(self):
        return self.items

    def add(self, x):
        self.items.append(x)


def list_of_an_object_that_has_a_name(rng, queries):
    held = [_Held(), _Held()]
    mine = held[0].items
    held[0].items.append(rng.random())
    return mine


def list_that_a_method_gives_away(rng, queries):
    held = [_Held(), _Held()]
    mine = held[0].all_of_them()
    held[0].add(rng.random())
    return mine


def list_that_an_object_was_given(rng, queries):
    mine = [rng.random()]
    held = [_Held(mine), _Held(mine)]
    held[0].given.append(1)
    return mine


def list_that_grows_as_it_is_gone_through(rng, queries):
    held, out = [_Held(), _Held()], []
    held[0].add(0)
    for x in held[0].items:
        out.append(x + rng.random())
        if len(out) < 3:
            held[0].add(x)
    return out


def list_of_two_objects(rng, queries):
    held = [_Held(), _Held()]
    held[0].items = held[1].items
    held[0].add(rng.random())
    return held[1].items


@dataclass
class _Sheet:
    limit: float
    log: list = field(default_factory=list)


def lists_that_a_caller_gives_to_fields(rng, queries):
    mine = [rng.random()]
    sheets = [_Sheet(1.0, mine), _Sheet(2.0)]
    sheets[0].log.append(2)
    return mine, sheets[0].log[0]
