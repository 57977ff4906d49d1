from kartenkniffel.table import Start, Tables
from kartenkniffel.table.cache import Cache
from tests.table.helpers import people, play


def test_the_table_not_used_for_longest_is_forgotten(tables: Tables) -> None:
    cache = Cache(2)
    one, two, three = (tables.open(people("Ana")) for _ in range(3))
    cache.put(one)
    cache.put(two)
    assert cache.get(one.id) == one
    cache.put(three)
    assert [cache.get(table.id) for table in (one, two, three)] == [one, None, three]


def test_a_table_does_not_go_back(tables: Tables) -> None:
    cache = Cache(2)
    before = tables.open(people("Ana", "Bo"), Start("seat", 0))
    after = play(tables, before.id, 1)
    cache.put(after)
    cache.put(before)
    assert cache.get(before.id) == after
    cache.drop(before.id)
    cache.drop(before.id)
    assert cache.get(before.id) is None
