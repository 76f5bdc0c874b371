"""Agreement, checked against rules of the languages written here and not taken from the grammars."""

import re

import pytest

from labkit import kahani as k
from labkit.kahani import english, hindi

ENGLISH = k.kahani("train", 400_000, seed=11, lang="en").splitlines()
HINDI = k.kahani("train", 400_000, seed=11, lang="hi").splitlines()
BOUNDARY = r"(?![\u0900-\u097F])"
START = r"(?<![\u0900-\u097F])"

WRONG_ENGLISH = {
    "an article before the wrong sound": r"\ba [aeo]\w|\ban [^aeiou]|\ba (i\w|umbrella)",
    "a plural subject with a singular verb": (
        r"\b(boys|girls|children|twins) (is|was|has|lives|knows|likes|feeds)\b"
    ),
    "a singular subject with a plural verb": (
        r"\b(the|a) (\w+ )?(boy|girl) (are|were|have|live|know|like|feed)\b"
    ),
    "a plural relative clause with a singular verb": (
        r"\b(boys|girls|children|twins|friends|sisters|brothers) who (lives|has|knows|likes)\b"
    ),
    "a singular relative clause with a plural verb": r"\b(boy|girl|farmer|baker) who (live|have|know|like)\b",
    "a pronoun and its verb": r"\b(he|she|it) (are|were|have|like)\b|\bthey (is|was|has|likes)\b",
    "a numeral with a singular": (
        r"\b(two|three|four|five|six|seven|eight|nine|ten|many) (\w+ )?(dog|cat|pot|shirt)\b"
    ),
    "a word twice": r"\b(\w+) (and )?\1\b",
}

WRONG_HINDI = {
    "आकारान्त verb with a plural auxiliary": r"(ता|रहा|गया) (हैं|थे|थीं)",
    "plural masculine verb with a singular auxiliary": r"(ते|रहे|गए|बैठे|खड़े) (है|था|थी)" + BOUNDARY,
    "feminine verb with a masculine auxiliary": r"(ती|रही|गई|बैठी|खड़ी) (था|थे)" + BOUNDARY,
    "masculine verb with a feminine auxiliary": r"(ता|रहा|गया|ते|रहे|गए) (थी|थीं)" + BOUNDARY,
    "nasal before an auxiliary": r"(गईं|दीं|मिलीं) (है|हैं|थी|थीं)" + BOUNDARY,
    "singular pronoun with a plural verb": START + r"वह" + BOUNDARY + r"[^,।]* (हैं|थे|थीं)" + BOUNDARY,
    "plural pronoun with a singular verb": START + r"वे" + BOUNDARY + r"[^,।]* (है|था|थी)" + BOUNDARY,
    "जिस with a plural": START + r"जिस" + BOUNDARY + r" (लड़कों|बच्चों|लड़कियों|बच्चियों|सहेलियों|दोस्तों)",
    "जिन with a singular": START + r"जिन (लड़के|बच्चे|लड़की|बच्ची)" + BOUNDARY,
    "direct form before ने or को": START + r"(लड़का|बच्चा|लड़कियाँ|बच्चियाँ|सहेलियाँ) (ने|को|के)" + BOUNDARY,
    "possessive of the wrong gender": START + r"(का|के|अपना|अपने) (बहन|माँ|दादी|नानी|मौसी|चाची)" + BOUNDARY,
    "possessive of the wrong gender (feminine)": START
    + r"(की|अपनी) (भाई|दोस्त|पिताजी|दादाजी|मामा)"
    + BOUNDARY,
    "masculine adjective with a feminine noun": START
    + r"(नीला|काला|छोटा|नया) (गेंद|पतंग|बिल्ली|लड़की)"
    + BOUNDARY,
    "elders without their plural of respect": r"^\S+ (की|के) (दादी|माँ|नानी|दादाजी|पिताजी) (हर|रोज़)[^,।]* है।",
    "ने with a verb that agrees with the giver": r"ने [\u0900-\u097F]+ को [^,।]*(गेंद|पतंग|किताब) (दिया|दिए|दीं)",
}


@pytest.mark.parametrize("rule", WRONG_ENGLISH)
def test_english_never_breaks(rule):
    assert [line for line in ENGLISH if re.search(WRONG_ENGLISH[rule], line)] == []


@pytest.mark.parametrize("rule", WRONG_HINDI)
def test_hindi_never_breaks(rule):
    assert [line for line in HINDI if re.search(WRONG_HINDI[rule], line)] == []


def test_he_and_she_follow_the_name():
    he, she = ({"raju", "ravi", "ali", "mohan"}, {"meera", "asha", "tina", "rani"})
    for line in ENGLISH:
        lost = re.match(
            r"(?:it was very cold, so )?(\w+) (?:lost|looked for|put on) (his|her|their|its) ", line
        )
        if lost and lost[1] in he | she:
            assert lost[2] == ("his" if lost[1] in he else "her")


def test_hindi_verb_follows_the_first_noun_across_the_relative_clause():
    ends = {"लड़का": "ता है", "लड़की": "ती है", "लड़के": "ते हैं", "लड़कियाँ": "ती हैं"}
    seen = set()
    for line in HINDI:
        found = re.match(
            r"जो (?:\S+ )?(लड़का|लड़की|लड़के|लड़कियाँ) [^,]*(?:ता|ती|ते) (?:है|हैं), [^,]*?(\S)(\S+ हैं?)।$", line
        )
        if found:
            seen.add(found[1])
            assert line.endswith(ends[found[1]] + "।")
    assert seen == set(ends)


FORMS = {
    "है": "है है हैं हैं",
    "था": "था थी थे थीं",
    "गया": "गया गई गए गई",
    "गया!": "गया गई गए गईं",
    "दिया!": "दिया दी दिए दीं",
    "पिया!": "पिया पी पिए पीं",
    "खाया!": "खाया खाई खाए खाईं",
    "हुआ!": "हुआ हुई हुए हुईं",
    "लौटा!": "लौटा लौटी लौटे लौटीं",
    "जाएगा": "जाएगा जाएगी जाएँगे जाएँगी",
    "ख़रीदेगा": "ख़रीदेगा ख़रीदेगी ख़रीदेंगे ख़रीदेंगी",
    "छोटा": "छोटा छोटी छोटे छोटी",
    "नया": "नया नई नए नई",
    "छोटे": "छोटे छोटी छोटे छोटी",
    "उसने": "उसने उसने उन्होंने उन्होंने",
}


@pytest.mark.parametrize("word", FORMS)
def test_hindi_forms(word):
    assert [hindi.inflect(word, agreement) for agreement in hindi.AGREEMENTS] == FORMS[word].split()


@pytest.mark.parametrize(
    ("word", "forms"),
    [("he", "he she it they"), ("his", "his her its their"), ("lives", "lives lives lives live"),
     ("watches", "watches watches watches watch"), ("carries", "carries carries carries carry"),
     ("was", "was was was were")],
)  # fmt: skip
def test_english_forms(word, forms):
    assert [english.inflect(word, agreement) for agreement in english.AGREEMENTS] == forms.split()


@pytest.mark.parametrize("source", [english, hindi])
def test_a_word_without_forms_is_refused(source):
    with pytest.raises(ValueError, match="no form"):
        source.inflect("लाल", source.AGREEMENTS[0])


@pytest.mark.parametrize("lang", ["en", "hi"])
def test_probes_have_one_right_answer(lang):
    probes = k.agreement_probes(lang, count=300)
    assert len(set(probes)) == 300
    for probe in probes:
        words = k.next_words(probe.prefix, lang)
        assert probe.right in words
        assert probe.wrong not in words
