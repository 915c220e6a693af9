"""`Generations` and `Made`: what is put in is found until newer values need its place."""

from chatcore.storage.generations import Generations, Made


def found(values: Generations[int, str], *keys: int) -> list[int]:
    return [key for key in keys if values.get(key) is not None]


def test_two_generations_are_found_and_older_ones_are_forgotten() -> None:
    values: Generations[int, str] = Generations(160)
    for key in range(9):
        values.put(key, f"value {key}", 20)
    assert found(values, *range(9)) == [0, 1, 2, 3, 4, 5, 6, 7, 8]
    values.put(9, "value 9", 20)
    assert found(values, *range(10)) == [5, 6, 7, 8, 9]
    assert values.get(5) == "value 5"


def test_what_is_put_again_counts_once() -> None:
    values: Generations[int, str] = Generations(160)
    values.put(0, "first", 20)
    for number in range(100):
        values.put(1, f"value {number}", 20)
    assert found(values, 0, 1) == [0, 1]
    assert values.get(1) == "value 99"


def test_a_value_that_many_others_would_have_to_go_for_is_not_kept() -> None:
    values: Generations[int, str] = Generations(160)
    for key in range(4):
        values.put(key, "small", 20)
        values.put(10 + key, "large", 21)
    assert found(values, *range(20)) == [0, 1, 2, 3]


def test_what_was_made_is_found_for_an_equal_source_and_the_newest_source_is_held() -> None:
    values: Made[str, list[int], str] = Made(160)
    first, equal = [1], [1]
    values.put("key", first, "of one", 20)
    first.append(2)  # sources do not change in use: here it tells them apart
    assert values.get("key", equal) is None
    first.remove(2)
    assert values.get("key", equal) == "of one"
    first.append(2)
    assert values.get("key", equal) == "of one"
    assert values.get("key", [3]) is None
    values.put("key", [3], "of three", 20)
    assert (values.get("key", equal), values.get("key", [3])) == (None, "of three")
