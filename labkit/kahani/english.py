"""Kahani in English: words, rules and the forms that agree (see grammar.py for the notation).

People agree as m, f or p (he, she, they), animals as n or p (it, they), things as s, v or p: one of them, one
that wants "an", many. Verbs stand in the form of he and she.
"""

from __future__ import annotations

from labkit.kahani.english_words import WORDS

__all__ = ["AGREEMENTS", "RULES", "STOP", "WORDS", "inflect", "is_verb_or_pronoun"]

STOP = "."
AGREEMENTS = ("m", "f", "n", "p")

# citation form → (he, she, it, they); a thing's "s" and "v" are "it"
_PRONOUNS = {
    "he": ("he", "she", "it", "they"),
    "him": ("him", "her", "it", "them"),
    "his": ("his", "her", "its", "their"),
}
_PLURALS = {"is": "are", "was": "were", "has": "have", "does": "do", "goes": "go", "watches": "watch",
    "catches": "catch", "washes": "wash", "carries": "carry", "flies": "fly", "teaches": "teach",
    "fixes": "fix", "brushes": "brush", "mixes": "mix", "this": "these"}  # fmt: skip
_ARTICLES = {"s": "a", "v": "an", "p": "some"}


def inflect(word: str, agreement: str) -> str:
    """Return the form of a pronoun, of an article or of a verb in the third person that agrees.

    Raises
    ------
    ValueError
        If the word has no such form.
    """
    if word in _PRONOUNS:
        return _PRONOUNS[word]["mfnp".index(agreement if agreement in "mfp" else "n")]
    if word == "a":
        return _ARTICLES[agreement]
    if word == "one":
        return "some" if agreement == "p" else "a"
    if not word.endswith("s"):
        raise ValueError(f"{word!r} has no form that agrees.")
    return _PLURALS.get(word, word[:-1]) if agreement == "p" else word


def is_verb_or_pronoun(word: str) -> bool:
    """Tell whether a citation form agrees with a person or an animal, and is no article."""
    return word not in ("a", "one")


RULES = {
    "start": """
        7 <habit> .
        9 <relative> .
        8 <gift> .
        9 <when> .
        7 <lost> .
        7 <plan> .
        7 <now> .
        7 <because> .
        7 <animal> .
        4 <weather> .
    """,
    # Habits: the verb agrees with its subject, wherever the time stands.
    "habit": """
        4 <every> S=name <does:S>
        3 S=name <does:S> <every>
        4 <every> S=name and his~S K=sibling (B=both) <does:B>
        3 <every> the W=trade <near> <works@W>
    """,
    "every": """
        5 every P=part
        5 every D=day
        4 every D=day P=part
        1 after school
        1 in summer
        1 in winter
        1 before lunch
    """,
    "near": "5 near the P=place | 2 behind the P=place | 2 beside the P=place | 1 not far from the P=place",
    "does S": """
        4 walks~S to the P=place with N=pal
        4 plays~S with N=pal and his~S C=colour T=single,several
        4 eats~S D=dish and E=side <near>
        3 helps~S N=pal with the L=look T=single,several
        3 helps~S his~S K=kin <chore>
        3 reads~S to N=pal <near>
        3 flies~S a C=colour kite <near>
        3 feeds~S the F=fur B=pets
        3 waters~S the C=colour Q=flower <near>
        3 sings~S for his~S K=kin <near>
        2 swims~S in the river with N=pal
        2 draws~S a F=fur B=beast,pet for N=pal
        2 tells~S N=pal a L=tale story
        2 rides~S a C=colour bicycle to the P=place
        2 carries~S <load> to the P=place
    """,
    "chore": """
        3 cook D=dish and E=side
        2 wash the C=colour X=cloth
        2 sweep the yard
        2 carry <load>
        2 pick Q=flower
    """,
    "load": "2 water | 2 wood | 3 a basket of R=harvest | 2 D=dish for N=pal",
    "works@farm W": """
        4 plants~W R=crop and V=harvest
        3 works~W in the field until noon
        2 cuts~W the grass
        3 sells~W R=harvest at the market
    """,
    "works@fish W": "4 catches~W Q=count big fish | 3 mends~W an old net | 3 sells~W fish at the market",
    "works@pot W": """
        4 makes~W Q=count C=colour pots
        3 makes~W a L=look lamp from clay
        3 sells~W pots at the market
    """,
    "works@sew W": "4 sews~W Q=count C=colour X=cloth | 3 mends~W the torn X=cloth of N=pal",
    "works@bake W": "4 bakes~W Q=count warm loaves | 3 bakes~W a sweet cake for N=pal",
    "works@post W": "4 brings~W Q=count letters | 3 brings~W a L=tale letter for N=pal",
    "works@drive W": "4 drives~W a C=colour bus to the P=place | 3 washes~W the C=colour bus",
    "works@wood W": "4 makes~W Q=count wooden chairs | 3 fixes~W the broken door of the P=roof",
    "works@garden W": "4 waters~W the C=colour Q=flower | 3 plants~W Q=count mango trees",
    "works@teach W": "4 teaches~W Q=count children to read | 3 tells~W the children a L=tale story",
    "works@heal W": "4 visits~W Q=count sick children | 3 gives~W medicine to N=pal",
    # A relative clause between subject and verb; the nouns inside it agree with nothing outside.
    "relative": """
        5 the J=nature S=kid who <lives:S> <does:S>
        4 the J=nature W=trade who <lives:W> <works@W>
        4 the F=fur A=pet,pets,beast,beasts that <stays:A> <acts@A>
        3 S=name has~S a J=nature K=sibling who <does:K>
        3 the J=nature S=kid who <lives:S> and his~S K=sibling (B=both) <does:B>
    """,
    "lives S": """
        5 lives~S <near>
        3 has~S a F=fur B=pet
        3 has~S Q=count F=fur B=pets
        2 has~S a L=look T=single
        3 knows~S N=pal
        2 likes~S R=harvest
        2 came from the P=place with N=pal
    """,
    "stays A": "5 lives~A <near> | 2 follows~A N=pal | 2 likes~A the J=nature S=kid",
    "acts@dog A": """
        3 barks~A at the F=fur B=beasts
        3 runs~A after the F=fur B=pets
        3 sleeps~A beside the P=place
        2 guards~A the P=place all night
    """,
    "acts@cat A": """
        3 drinks~A warm milk <near>
        3 sleeps~A on the L=look chair of N=pal
        2 watches~A the F=fur sparrows
    """,
    "acts@grass A": """
        4 eats~A fresh grass <near>
        3 rests~A under the tree <near>
        2 runs~A across the field when N=pal calls
    """,
    "acts@hen A": "3 eats~A corn <near> | 2 gives~A Q=count eggs every P=part",
    "acts@climb A": "3 climbs~A the tree <near> | 3 jumps~A from tree to tree | 3 eats~A the nuts of N=pal",
    "acts@pond A": "4 swims~A in the pond every P=part | 3 sits~A on a L=look stone <near>",
    "acts@bird A": """
        4 flies~A over the P=place every P=part
        3 sits~A on the roof of the P=roof
        3 eats~A the corn that N=pal brings
    """,
    "acts@wild A": """
        4 hides~A in the forest all day
        3 comes~A to the river to drink every P=part
        2 runs~A away from the L=dread noise
    """,
    "thing O": "4 one~O C=colour O | 3 one~O L=look O | 2 one~O L=look C=colour O | 2 a~O O",
    # Gifts: a pronoun for the one who gets it, another for the thing.
    "gift": """
        5 <last> S=name,elder gave N=pal (O=toy) <thing:O> , <thanks:N,O>
        3 <last> S=name,elder bought (O=toy) <thing:O> and gave him~O to N=pal
        3 <last> S=name bought (O=toy) <thing:O> at the P=shop for his~S K=kin
        2 <last> S=name made (O=toy) <thing:O> and showed him~O to his~S K=kin
    """,
    "last": "4 last D=day | 2 on D=day P=part | 1 one P=part | 1 yesterday",
    "thanks N O": """
        3 and he~N showed him~O to his~N K=kin
        3 and he~N was~N very M=glad
        2 so he~N ran home to tell his~N K=kin
        2 so he~N sang for his~N K=kin
    """,
    # Two clauses: the second takes its pronouns from the first.
    "when": """
        5 when S=name <saw> , he~S <did:S>
        4 when the J=nature S=kid <saw> , he~S <did:S>
        3 when S=name and his~S K=sibling (B=both) <saw> , he~B <did:B>
        3 S=name <saw> , so he~S <did:S>
    """,
    "saw": """
        4 saw a F=fur B=pet,beast <near>
        3 saw Q=count F=fur B=pets,beasts <near>
        3 came home from the P=place
        3 heard N=pal sing <near>
        2 found a L=look T=single <near>
        2 met N=pal <near>
    """,
    "did S": """
        4 ran to his~S K=kin
        3 told N=pal about it
        3 sat down and ate R=harvest
        3 called his~S K=kin and N=pal
        2 clapped his~S hands and laughed
        2 sang a L=tale song for N=pal
        2 went to the P=place with his~S K=kin
    """,
    # Lost and found: the thing comes back, and so does its word.
    "lost": """
        5 S=name lost his~S C=colour O=toy , but N=pal found the O <near>
        4 S=name looked for his~S O=toy , but the O was~O <near>
        3 S=name wanted R=fruit , so his~S K=kin went to the P=shop and bought R
        3 the O=toy that N=pal gave to S=name is~O C=colour , and he~S likes~S him~O
        3 the C=colour O=toy of N=pal was~O on the road , so S=name took him~O to the P=place
    """,
    "plan": """
        4 <next> S=name will <go> with his~S K=kin
        4 <next> S=name and his~S K=sibling (B=both) will go to the P=place , where he~B will <go>
        3 <next> the J=nature S=kid will go to the P=place , where he~S will meet his~S K=kin
        2 S=name wants~S to go to the P=place <next> , because his~S K=kin is there
    """,
    "next": "4 next D=day | 3 on D=day | 2 tomorrow | 2 this evening | 1 this afternoon",
    "go": """
        3 eat D=dish and E=side
        2 fly a C=colour kite
        2 buy a L=look T=single
        2 plant Q=flower
        2 visit N=pal
        2 see a F=fur B=pet
    """,
    "now": """
        4 S=name is~S <doing> <near>
        4 the J=nature S=kid is~S <doing> with his~S K=kin
        3 the J=nature S=kid who gave N=pal a L=look T=single is~S <doing>
        3 S=name and his~S K=sibling (B=both) is~B <doing> , and N=pal is with him~B
    """,
    "doing": """
        3 eating R=harvest
        3 flying a C=colour kite
        3 playing with the L=look T=single
        2 looking at the F=fur B=pets
        2 waiting for N=pal
        2 drawing a F=fur B=beast,pet
        2 picking C=colour Q=flower
    """,
    # The reason fits the thing: what can be torn is torn.
    "because": """
        5 S=name was~S M=sad because his~S C=colour O=toy was~O <bad@O>
        3 the J=nature S=kid was~S M=sad because his~S O=toy was~O <bad@O>
        3 S=name was~S M=glad because N=pal gave him~S (O=toy) <thing:O>
        3 the C=colour O=toy of S=name was~O <bad@O> , so N=pal gave him~S <fresh:O> O
    """,
    "fresh O": "4 one~O new | 2 one~O C=colour | 1 one~O L=look",
    "bad@torn O": "1 torn",
    "bad@broken O": "1 broken",
    "bad@lost O": "1 lost",
    "animal": """
        4 the F=fur A=pet,pets of N=pal <acts@A>
        4 <last> a F=fur A=pet ran after N=pal , but he~A was~A <tired>
        3 <last> Q=count F=fur A=beasts came to the P=place , but he~A <fled:A>
        3 the F=fur A=pet,pets <near> is~A hungry , so N=pal gives him~A D=feed
    """,
    "tired": "2 too slow | 1 soon tired",
    "fled A": """
        2 ran away when N=pal came
        2 did not eat the R=harvest of N=pal
        1 soon went back to the forest
    """,
    "weather": """
        3 it rained all P=part , so S=name <inside:S>
        3 it was very hot , so S=name <cool:S>
        3 it was very cold , so S=name <warm:S>
        2 when it rains , the F=fur A=pet,pets,beast <near> hides~A under a tree
    """,
    "inside S": """
        2 read to his~S K=kin at home
        2 took his~S C=colour umbrella to the P=place
        1 could not fly his~S C=colour kite
    """,
    "cool S": """
        2 drank cold water <near>
        2 swam in the river with his~S K=kin
        1 sat under the tree <near> with N=pal
    """,
    "warm S": "2 drank hot soup with N=pal | 2 put on his~S C=colour coat | 1 made a fire for his~S K=kin",
}
