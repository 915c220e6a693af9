"""The search words of a text."""

import string
import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chatcore.domain.narrow.words import (
    MARKED_WORD,
    MAX_WORD,
    STOP_WORDS,
    contains_phrase,
    fold,
    hit_test,
    message_words,
    parse_query,
    possible_hit_finder,
    search_words,
    surely_lacks,
    text_of_html,
)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", ""),
        ("Lunch LUNCH", "lunch lunch"),
        ("running runs run", "run run run"),
        ("dogs' dog's", "dog dog"),
        ("the and it's don't", ""),
        ("foo_bar a.b.c Nat.succ_le", "foo bar b c nat succ le"),
        ("v2 3.14 2024-01-02 x86_64", "v2 3 14 2024 01 02 x86 64"),
        ("100% C++ #tag @user :tada:", "100 c tag user tada"),
        ("naïve NAÏVE naive", "naiv naiv naiv"),
        ("Ångström Éclair", "angstrom eclair"),
        ("Straße STRASSE", "strass strass"),
        ("ΣΑΣ σας", "σασ σασ"),
        ("Ёлка йод", "елка иод"),
        ("ﬁne ｆｕｌｌ ℕ²", "fine full n2"),
        ("שָׁלוֹם", "שלום"),
        ("हिन्दी", "हिन्दी"),
        ("東京都", "東 京 都 東京 京都"),
        ("字", "字"),
        ("Python入門 2巻", "python 入 門 入門 2 巻"),
        ("がギ", "が ギ がギ"),
        ("한국", "한 국 한국"),
        ("ไทย", "ไ ท ย ไท ทย"),
        ("🎉 → ∀ ✔", ""),
        ("café the", "cafe"),
        ("İstanbul", "istanbul"),
    ],
)
def test_a_text_is_cut_into_its_words(text: str, words: str) -> None:
    assert search_words(text) == words.split()


TEXTS = st.lists(
    st.sampled_from(["hope", "hoping", "tie", "tying", "flies", "Running", "NAÏVE", "café", "東京", "x86_64"])
    | st.text(string.ascii_letters + "éıſß ", max_size=6)
).map(" ".join)


@given(TEXTS, st.data())
def test_no_text_lacks_its_own_words(text: str, data: st.DataObject) -> None:
    words = data.draw(st.lists(st.sampled_from(search_words(text) or ["none"])))
    assert not surely_lacks(set(words) & set(search_words(text)), text)


@pytest.mark.parametrize(
    ("query", "text", "lacks"),
    [
        ("hope", "we are hoping", False),
        ("hope", "we are waiting", True),
        ("hope wait", "we are waiting", True),
        ("tie", "tying", False),
        ("cafe", "café", False),
    ],
)
def test_a_text_lacks_words_that_begin_like_none_of_its_own(query: str, text: str, lacks: bool) -> None:
    assert surely_lacks(search_words(query), text) is lacks


@pytest.mark.parametrize("letter", ["x", "é", "ж"])
def test_a_long_word_counts_by_its_beginning(letter: str) -> None:
    (word,) = search_words(letter * 10_000)
    assert len(word) == MAX_WORD
    assert search_words(letter * (MAX_WORD + 1)) == [word]


def test_stop_words_need_no_accents_to_be_found() -> None:
    assert all(word.isascii() for word in STOP_WORDS)
    assert search_words(" ".join(STOP_WORDS)) == search_words(" ".join(STOP_WORDS) + " é")[:-1] == []


@pytest.mark.parametrize(
    ("query", "words", "phrases"),
    [
        ("", "", []),
        ("the", "", []),
        ("Big dogs big", "big dog", []),
        ('"Big Dogs" bark', "big dog bark", ["big dogs"]),
        ('a "b" c "d', "b c d", ["b"]),
        ('"" " " x', "x", []),
        ('"two" "two"', "two", ["two"]),
        ('"ÄPFEL"', "apfel", ["äpfel"]),
        ("東京都", "東京 京都", []),
        ("字", "字", []),
        ("100% _ \\ NEAR( col: * ^", "100 near col", []),
        ("' OR 1=1; --", "1", []),
    ],
)
def test_a_query_is_cut_into_words_and_phrases(query: str, words: str, phrases: list[str]) -> None:
    assert parse_query(query) == (tuple(words.split()), tuple(phrases))


def test_one_character_finds_a_word_with_it_and_a_word_finds_itself() -> None:
    text = set(search_words("東京タワー"))
    for query, found in (("京", True), ("京タ", True), ("東京タワー", True), ("東タ", False), ("都", False)):
        assert (set(parse_query(query)[0]) <= text) is found


@given(st.text())
def test_whatever_is_in_a_text_is_found_by_it(text: str) -> None:
    assert set(parse_query(text)[0]) <= set(search_words(text))


@given(st.text() | st.text(string.printable))
def test_stems_are_never_syntax(text: str) -> None:
    syntax = {
        character for character in map(chr, range(128)) if not (character.islower() or character.isdigit())
    }
    for stem in search_words(text):
        assert stem
        assert len(stem) <= MAX_WORD + 1
        assert syntax.isdisjoint(stem)
        assert not any(character.isspace() for character in stem)
        assert stem.split() == [stem]


@given(st.text(), st.text())
def test_a_phrase_of_a_text_is_contained_in_it(before: str, phrase: str) -> None:
    assert contains_phrase(fold(phrase), "", f"{before} {phrase} after")
    assert contains_phrase(fold(phrase.upper().lower()), phrase.upper().lower(), "")


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("Big DOG", "big dog", True),
        ("Straße", "STRASSE", True),
        ("cafe\u0301", "CAFÉ", True),
        ("cafe", "café", False),
        ("big  dog", "big dog", False),
    ],
)
def test_phrases_compare_without_case(one: str, other: str, same: bool) -> None:
    assert (fold(one) == fold(other)) is same


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<p>one <strong>t</strong>wo</p>", "one two"),
        ("<p>one</p><p>two</p>", "one\n\ntwo"),
        ("one<br>two<br/>three", "one\ntwo\nthree"),
        ("<a href=\"http://x.example/a?b=1&amp;c\" title='a > b'>link</a>", "link"),
        ('<img alt="hidden">shown', "shown"),
        ("&lt;b&gt; &amp;amp; &quot;x&quot; &#39;", '<b> &amp; "x" \''),
        ("1 < 2", "1 < 2"),
        ("<", "<"),
    ],
)
def test_html_is_reduced_to_its_text(html: str, text: str) -> None:
    assert text_of_html(html).strip("\n") == text


def test_hostile_html_takes_linear_time() -> None:
    for piece in ("<", "<a", '<"', "<a'", '<a b="', "<p "):
        text_of_html(piece * 20_000)
    text_of_html("<" + "a" * 200_000)
    text_of_html('<a "' + "x" * 200_000)


def test_a_reference_of_thousands_of_digits_is_no_character() -> None:
    assert text_of_html(f"a &#{'0' * 4400}65; b") == "a \ufffd b"


def test_a_message_is_found_by_its_topic_and_by_what_it_shows() -> None:
    words = message_words("Lunch plans", '<p class="hidden">Tea &amp; <em>cakes</em></p>')
    assert words == ["lunch", "plan", "tea", "cake"]


def test_a_topic_and_its_content_are_not_run_together() -> None:
    assert "京都" not in message_words("東京", "都")


@pytest.mark.parametrize(
    ("query", "piece", "is_hit"),
    [
        ("dogs", "Dog", True),
        ("dogs", "cat", False),
        ("dogs cats", "CATS", True),
        ("bar", "foo_bar", True),
        ("cafe", "Café", True),
        ("the", "the", False),
        ("東京", "東京都", True),
        ("京", "東京都", True),
        ("東京", "都", False),
        ("dog", "", False),
    ],
)
def test_a_word_is_a_hit_by_its_stem(query: str, piece: str, is_hit: bool) -> None:
    assert hit_test(parse_query(query)[0])(piece) is is_hit


FORMS = """
    tie ties tied tying dying lying skies skis idly gently early only trophy trophies possibly possibility
    relational rationalize hopping hoping hopeful hopefulness happiness national nationality city cities
    analogy analogously agreed sensibly vietnamization conditional running topologies topological x y go
""".split()  # noqa: SIM905
"""Words that a stemmer does something to."""
ENDINGS = """
    s es ed ing ly y ies ie ied ying yings tional ational ization biliti bility ability bli ably ogist logi
    fulness ousness iveness lessly eedly ical ative ement ll e
""".split()  # noqa: SIM905
WORDS = st.lists(
    st.sampled_from(FORMS)
    | st.builds(str.__add__, st.text("abdlnrtvy", min_size=1, max_size=4), st.sampled_from(ENDINGS))
    | st.text("aeist_0é\u0301İßſK東京™…→", min_size=1, max_size=6),
    min_size=1,
)


@given(text=st.builds(lambda glue, words: glue.join(words), st.sampled_from(" ,_.-\t"), WORDS))
def test_possible_hits_leave_out_no_hit(text: str) -> None:
    every = list(MARKED_WORD.finditer(text))
    for stem in search_words(text):
        is_hit, possible = hit_test([stem]), [word.span() for word in possible_hit_finder([stem])(text)]
        assert [word.span() for word in every if is_hit(word[0])] == [
            (start, end) for start, end in possible if is_hit(text[start:end])
        ]


def test_possible_hits_are_few() -> None:
    text = "ties that bind the tied, nodes … and edges"
    assert [word[0] for word in possible_hit_finder(parse_query("bind node")[0])(text)] == ["bind", "nodes"]
    assert list(possible_hit_finder(["bind"])("rebind unbinding 2bind")) == []


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a_bind bind_a", ["a_bind", "bind_a"]),
        ("İ bind", ["İ", "bind"]),
        ("bind é bind", ["bind", "é", "bind"]),
        ("BIND\nbinding", ["BIND", "binding"]),
    ],
)
def test_possible_hits_are_whole_words(text: str, words: list[str]) -> None:
    assert [word[0] for word in possible_hit_finder(["bind"])(text)] == words


def test_possible_hits_find_each_character_that_is_no_ascii() -> None:
    """All such characters but one are found, whose lower case has two characters."""
    every = [character for character in map(chr, range(0x80, 0x110000)) if len(character.lower()) == 1]
    text = " ".join(character for character in every if not "\ud800" <= character <= "\udfff")
    found = [word.span() for word in possible_hit_finder(["x"])(text)]
    assert len(found) > 100_000
    assert found == [word.span() for word in MARKED_WORD.finditer(text)]


def test_threads_do_not_disturb_each_other() -> None:
    texts = [
        " ".join(f"{word}ing{letter}s" for word in ("runn", "walk", "jump"))
        for letter in string.ascii_lowercase
    ]
    expected = [search_words(text) for text in texts]
    results: list[list[list[str]]] = []
    threads = [
        threading.Thread(target=lambda: results.append([search_words(text) for text in texts]))
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [expected] * 4
