"""`Generations`: what is put in is found until newer values need its place."""

from chatcore.storage.generations import Generations


def found(values: Generations[int, str], *keys: int) -> list[int]:
    return [key for key in keys if values.get(key) is not None]


def test_two_generations_are_found_and_older_ones_are_forgotten() -> None:
    values: Generations[int, str] = Generations(100)
    for key in range(5):
        values.put(key, f"value {key}", 20)
    assert found(values, *range(5)) == [0, 1, 2, 3, 4]
    values.put(5, "value 5", 20)
    assert found(values, *range(6)) == [3, 4, 5]
    assert values.get(3) == "value 3"


def test_what_is_put_again_counts_once() -> None:
    values: Generations[int, str] = Generations(100)
    values.put(0, "first", 20)
    for number in range(100):
        values.put(1, f"value {number}", 20)
    assert found(values, 0, 1) == [0, 1]
    assert values.get(1) == "value 99"


def test_a_value_that_is_too_large_leaves_the_others() -> None:
    values: Generations[int, str] = Generations(100)
    values.put(0, "small", 10)
    values.put(1, "large", 1000)
    assert found(values, 0, 1) == [0, 1]
    values.put(2, "small", 10)
    assert found(values, 0, 1, 2) == [0, 1, 2]
