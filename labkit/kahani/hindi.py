"""Kahani in Hindi: rules and the forms that agree (see grammar.py for the notation).

Words that agree are written in the masculine singular. A verb agrees with its subject; a perfective verb
after ने agrees with its object (`खाया!O`). "!" marks the last word of a perfective verb: only there the
feminine plural is nasal (गईं, but गई थीं).
"""

from __future__ import annotations

from labkit.kahani.hindi_words import ADJECTIVES, WORDS

__all__ = ["AGREEMENTS", "RULES", "STOP", "WORDS", "inflect", "is_verb_or_pronoun"]

STOP = "।"
AGREEMENTS = ("ms", "fs", "mp", "fp")

_FORMS = {  # masculine singular → ms, fs, mp, fp
    "है": ("है", "है", "हैं", "हैं"),
    "था": ("था", "थी", "थे", "थीं"),
    "वह": ("वह", "वह", "वे", "वे"),
    "उसने": ("उसने", "उसने", "उन्होंने", "उन्होंने"),
    "उसे": ("उसे", "उसे", "उन्हें", "उन्हें"),
    "उस_का": ("उसका", "उसका", "उनका", "उनका"),
    "जिस": ("जिस", "जिस", "जिन", "जिन"),
    "जिसे": ("जिसे", "जिसे", "जिन्हें", "जिन्हें"),
    "एक": ("एक", "एक", "कुछ", "कुछ"),
    "दिया": ("दिया", "दी", "दिए", "दी"),
    "पिया": ("पिया", "पी", "पिए", "पी"),
}
_ENDINGS = (  # the first ending that fits: ms, fs, mp, fp
    ("एगा", "एगी", "एँगे", "एँगी"),
    ("ेगा", "ेगी", "ेंगे", "ेंगी"),
    ("या", "ई", "ए", "ई"),
    ("आ", "ई", "ए", "ई"),
    ("ा", "ी", "े", "ी"),
    ("े", "ी", "े", "ी"),  # an adjective in the oblique form
)


def inflect(word: str, agreement: str) -> str:
    """Return the form of a pronoun, an adjective or a verb that agrees ("!" marks a closing perfective).

    Raises
    ------
    ValueError
        If the word has no form that agrees, or the agreement is none of ms, fs, mp, fp.
    """
    place = AGREEMENTS.index(agreement)
    plain = word.removesuffix("!")
    nasal = "ं" if word != plain and agreement == "fp" else ""
    if plain in _FORMS:
        return _FORMS[plain][place] + nasal
    for endings in _ENDINGS:
        if plain.endswith(endings[0]):
            return plain.removesuffix(endings[0]) + endings[place] + nasal
    raise ValueError(f"{word!r} has no form that agrees.")


def is_verb_or_pronoun(word: str) -> bool:
    """Tell whether a citation form is a verb or a pronoun, and no adjective or numeral."""
    return (word in (*_FORMS, "रहा") and word != "एक") or word.endswith(("ता", "गा", "!"))


RULES = {
    **ADJECTIVES,
    "start": """
        8 <habit> ।
        9 <relative> ।
        9 <gift> ।
        8 <when> ।
        7 <lost> ।
        7 <plan> ।
        7 <now> ।
        7 <because> ।
        7 <animal> ।
        4 <weather> ।
    """,
    # Habits: the verb agrees with its subject, which may stand far before it.
    "habit": """
        5 S=child <every> <does:S>
        3 <every> S=child <does:S>
        3 S=child (K=sibling) का~K <nature:K> K <every> <does:K>
        3 S=child (K=elder) का~K K <every> <rests:K>
        2 S=her और T=pal_her (B=girls) <every> <does:B>
        2 S=him और T=pal (B=boys) <every> <does:B>
        3 (W=trade) <trait:W> W <works@W>
    """,
    "every": """
        4 हर P=part
        4 हर D=day को
        3 हर D=day की P=part
        3 रोज़
        3 रोज़ P=part
        1 छुट्टी के दिन
        1 गर्मियों में
        1 सर्दियों में
    """,
    "often": "5 रोज़ | 4 हर D=day को | 3 हर P=part | 2 रोज़ P=part",
    "near": """
        6 P=place के पास
        3 P=place के पीछे
        3 P=place के सामने
        2 W=water के किनारे
        3 W=tree के पेड़ के नीचे
        1 P=place से थोड़ी दूर
    """,
    "does S": """
        4 N=pal के साथ P=place तक जाता~S है~S
        4 N=pal के साथ (O=toy) <colour_obl:O> O.obl से खेलता~S है~S
        3 <near> बैठकर D=dish और E=side खाता~S है~S
        3 (K=elder) अपने~K K की मदद करता~S है~S
        3 N=pal के लिए F=flower के फूल चुनता~S है~S
        3 <near> (O=kite) <colour:O> O उड़ाता~S है~S
        3 N=pal को (O=tale) <sort:O> O सुनाता~S है~S
        3 (B=pet,pets) <fur_obl:B> B.obl को <food@B> खिलाता~S है~S
        2 (K=kin) अपने~K K के लिए गाना गाता~S है~S
        2 W=water के किनारे N=pal के साथ दौड़ता~S है~S
        2 F=flower के पौधों को पानी देता~S है~S
        2 (O=kite) <colour_obl:O> साइकिल से P=place तक जाता~S है~S
        2 (B=pet,beast) <fur_obl:B> B.obl का चित्र बनाता~S है~S
    """,
    "rests K": """
        4 N=pal को (O=tale) <sort:O> O सुनाता~K है~K
        3 <near> टहलता~K है~K
        3 D=dish और E=side बनाता~K है~K
        2 P=place तक पैदल जाता~K है~K
        2 N=pal को गाना सिखाता~K है~K
        2 <near> बैठकर चाय पीता~K है~K
    """,
    "works@farm W": """
        4 R=crop और V=veg उगाता~W है~W
        3 <often> खेत में काम करता~W है~W
        3 <often> S=shop में V=veg बेचता~W है~W
    """,
    "works@fish W": """
        4 <often> C=count बड़ी मछलियाँ पकड़ता~W है~W
        3 पुराना जाल ठीक करता~W है~W
        3 <often> S=shop में मछली बेचता~W है~W
    """,
    "works@pot W": """
        4 C=count (B=pots) <colour:B> B बनाता~W है~W
        3 मिट्टी के C=count दीये बनाता~W है~W
        3 <often> S=shop में B=pots बेचता~W है~W
    """,
    "works@sew W": "1 N=pal के लिए (O=cloth) <colour:O> O सिलता~W है~W",
    "works@cook W": "1 <often> C=count गरम F=sweets बनाता~W है~W",
    "works@post W": """
        3 <often> N=pal के लिए चिट्ठी लाता~W है~W
        2 <often> C=count चिट्ठियाँ लाता~W है~W
    """,
    "works@wood W": "3 लकड़ी की C=count कुर्सियाँ बनाता~W है~W | 2 P=roof का टूटा दरवाज़ा ठीक करता~W है~W",
    "works@garden W": """
        3 F=flower के C=count पौधे लगाता~W है~W
        2 <often> F=flower के पौधों को पानी देता~W है~W
    """,
    "works@shop W": "1 <often> V=veg और F=sold बेचता~W है~W",
    "works@teach W": """
        3 <often> C=count बच्चों को पढ़ाता~W है~W
        2 <often> बच्चों को (O=tale) <sort:O> O सुनाता~W है~W
    """,
    "food@dog B": "1 F=meat",
    "food@cat B": "1 F=meat",
    "food@grass B": "1 F=grass",
    "food@bird B": "1 F=grain",
    "food@pond B": "1 F=grain",
    "food@hen B": "1 F=grain",
    "thing O": """
        4 <colour:O> O
        3 <look:O> O
        2 <some%O> <colour:O> O
        2 <some%O> <look:O> O
        1 <look:O> <colour:O> O
    """,
    "few%ms F": "1 एक",
    "few%fs F": "1 एक",
    "few%mp F": "1 कुछ | 2 C=few",
    "few%fp F": "1 कुछ | 2 C=few",
    "some%ms O": "1 एक",
    "some%fs O": "1 एक",
    "some%mp O": "1 कुछ | 2 C=count",
    "some%fp O": "1 कुछ | 2 C=count",
    # Relative and main clause (जो … वह, जिस … वह): number and gender hold from the first word to the last.
    "relative": """
        5 जो (S=kid) <nature:S> S <lives:S> , वह~S <every> <does:S>
        3 (S=kid) जिस~S S.obl के पास (O=thing) <thing:O> है~O , वह~S <every> <does:S>
        3 (S=kid) जिस~S S.obl को N=pal ने (O=thing) <thing:O> दिया~O था~O , वह~S <every> <does:S>
        3 (S=kid) जिस~S S.obl ने N=pal को (O=thing) <thing:O> दिया~O था~O , वह~S <doing:S>
        4 जो (W=trade) <trait:W> W <near> रहता~W है~W , वह~W <works@W>
        4 जो (A=pet,pets,beast,beasts) <fur:A> A <stays:A> , वह~A <acts@A>
    """,
    "lives S": """
        5 <near> रहता~S है~S
        3 N=pal के साथ पढ़ता~S है~S
        2 <near> खेलता~S है~S
        2 N=pal के घर के पास रहता~S है~S
    """,
    "stays A": "5 <near> रहता~A है~A | 3 <near> घूमता~A है~A | 2 <every> <near> आता~A है~A",
    "acts@dog A": """
        3 बिल्लियों के पीछे दौड़ता~A है~A
        3 रात भर P=roof की रखवाली करता~A है~A
        2 N=pal को देखकर पूँछ हिलाता~A है~A
    """,
    "acts@cat A": """
        3 N=pal के घर में दूध पीता~A है~A
        3 चूहों के पीछे दौड़ता~A है~A
        2 दिन भर P=roof की छत पर सोता~A है~A
    """,
    "acts@grass A": """
        4 <near> घास खाता~A है~A
        3 दिन भर आराम करता~A है~A
        2 N=pal के खेत में घूमता~A है~A
    """,
    "acts@hen A": "3 <near> दाने चुगता~A है~A | 2 हर P=part C=count अंडे देता~A है~A",
    "acts@bird A": """
        4 हर P=part P=roof की छत पर बैठता~A है~A
        3 N=pal के दिए दाने चुगता~A है~A
        3 P=place के ऊपर उड़ता~A है~A
    """,
    "acts@climb A": """
        3 W=tree के पेड़ पर चढ़ता~A है~A
        3 एक पेड़ से दूसरे पेड़ पर कूदता~A है~A
        2 N=pal के फल खाता~A है~A
    """,
    "acts@pond A": "4 हर P=part तालाब में तैरता~A है~A | 3 तालाब के किनारे पत्थर पर बैठता~A है~A",
    "acts@wild A": "3 दिन भर जंगल में छिपा~A रहता~A है~A | 3 हर P=part नदी पर पानी पीने जाता~A है~A",
    # Gifts: after ने the verb agrees with the thing, not with the giver.
    "gift": """
        5 <last> S=child,elder ने N=pal को (O=thing) <thing:O> दिया!O
        3 S=child ने P=shop से (K=kin) अपने~K K के लिए (O=thing) <thing:O> ख़रीदा!O
        3 S=child,elder ने N=pal को (O=thing) <thing:O> दिया!O , तो वह~N बहुत ख़ुश हुआ!N
        3 <last> S=child ने <near> बैठकर (F=fruit) <few%F> F खाया!F
        2 N=pal ने S=child को (O=thing) <thing:O> दिया~O है~O , जिसे~O वह~S (K=kin) अपने~K K को दिखाएगा~S
    """,
    "last": "4 पिछले D=day को | 3 कल P=part | 1 एक दिन | 1 आज सुबह | 2 D=day की P=part",
    "when": """
        4 जब S=child P=place से लौटा!S , तब उसने~S <did>
        3 जब (S=kid) <nature:S> S P=place से लौटा!S , तब उसने~S <did>
        4 जब (S=kid) <nature:S> S <near> पहुँचा!S , तब वह~S N=pal के साथ <began:S>
        3 जब S=child ने <near> (B=pet,beast) एक <fur:B> B देखा!B , तब वह~S <reacts:S>
        3 जब S=child ने <near> (B=pets,beasts) C=count <fur:B> B देखा!B , तब वह~S <reacts:S>
    """,
    "did": """
        3 (F=fruit) <few%F> F खाया!F
        3 N=pal को (O=thing) <thing:O> दिखाया!O
        3 N=pal को (O=tale) <sort:O> O सुनाया!O
        2 ठंडा पानी पिया
        2 (K=elder) अपने~K K को सारी बात बताई
    """,
    "began S": """
        3 खेलने लगा!S
        2 गाने लगा!S
        2 नाचने लगा!S
        2 (O=kite) <colour:O> O उड़ाने लगा!S
        2 (F=fruit) F खाने लगा!S
    """,
    "reacts S": """
        3 (K=elder) अपने~K K के पास दौड़ा!S
        3 N=pal को बुलाने गया!S
        2 डरकर P=place की ओर भागा!S
        2 ज़ोर से हँसा!S
        2 चुपचाप बैठ गया!S
    """,
    # Lost and found: the thing comes back, and so does its word.
    "lost": """
        5 (O=thing) S=child का~O <colour:O> O खो गया~O था~O , पर उसे O <near> मिल गया!O
        4 (O=thing) S=child का~O O खो गया~O था~O , पर N=pal को O <near> मिल गया!O
        3 S=child ने (F=fruit) F माँगा!F , तो (K=kin) उसका~K K P=shop से F ले आया!K
        3 (O=thing) जो <colour:O> O N=pal ने S=child को दिया~O था~O , वह~O बहुत <look:O> है~O
    """,
    "plan": """
        4 <next> S=child (K=kin) अपने~K K के साथ V=visit जाएगा~S
        4 <next> S=child V=visit जाएगा~S और <will:S>
        3 <next> (S=kid) <nature:S> S V=visit जाएगा~S और <will:S>
        3 जो (S=kid) S <last> N=pal से मिला~S था~S , वह~S <next> V=visit जाएगा~S
    """,
    "next": "4 अगले D=day को | 2 इस D=day को | 3 कल P=part | 1 कुछ दिन बाद",
    "will S": """
        3 (O=thing) <thing:O> ख़रीदेगा~S
        3 (F=fruit) <few%F> F खाएगा~S
        2 N=pal से मिलेगा~S
        2 N=pal के साथ खेलेगा~S
        2 (K=elder) अपने~K K के लिए F=flower के फूल लाएगा~S
    """,
    "now": """
        4 S=child <doing:S>
        3 (S=kid) <nature:S> S <doing:S>
        3 S=her और T=pal_her (B=girls) <doing:B>
        2 S=him और T=pal (B=boys) <doing:B>
        2 S=child (K=sibling) का~K <nature:K> K <doing:K>
    """,
    "doing S": """
        3 <near> बैठा~S है~S और (F=fruit) F खा रहा~S है~S
        3 <near> खड़ा~S है~S और N=pal की राह देख रहा~S है~S
        3 <near> (O=kite) <colour:O> O उड़ा रहा~S है~S
        2 N=pal के साथ (O=toy) <colour_obl:O> O.obl से खेल रहा~S है~S
        2 <near> बैठा~S है~S और (B=pet,beast) <fur_obl:B> B.obl का चित्र बना रहा~S है~S
    """,
    # The reason fits the thing: what can be torn is torn.
    "because": """
        4 S=child उदास था~S , क्योंकि (O=thing) उसका~O <colour:O> O <bad@O>
        4 (S=kid) <nature:S> S उदास था~S , क्योंकि (O=thing) उस_का~S~O O <bad@O>
        3 S=child ख़ुश था~S , क्योंकि N=pal ने उसे (O=thing) <thing:O> दिया~O था~O
        3 (O=thing) S=child का~O <colour:O> O <bad@O> , इसलिए N=pal ने उसे <fresh:O> O दिया!O
    """,
    "fresh O": "4 नया~O | 2 दूसरा~O | 1 <colour:O> | 1 <look:O>",
    "bad@torn O": "1 फट गया~O था~O",
    "bad@broken O": "1 टूट गया~O था~O",
    "bad@lost O": "1 खो गया~O था~O",
    "animal": """
        4 (A=pet,pets) N=pal का~A <fur:A> A <acts@A>
        3 <last> (A=pet) एक <fur:A> A N=pal के पीछे दौड़ा!A , पर वह~A जल्दी थक गया!A
        3 <last> (A=pets,beasts) C=count <fur:A> A P=place के पास आया!A , पर N=pal को देखकर भाग गया!A
        3 (A=pet,pets) <near> बैठा~A <fur:A> A भूखा~A था~A , इसलिए N=pal ने उसे~A <fed@A>
    """,
    "fed@dog B": "1 (F=meat) F खिलाया!F",
    "fed@cat B": "1 (F=meat) F खिलाया!F",
    "fed@grass B": "1 (F=grass) F खिलाया!F",
    "fed@bird B": "1 (F=grain) F खिलाया!F",
    "fed@pond B": "1 (F=grain) F खिलाया!F",
    "fed@hen B": "1 (F=grain) F खिलाया!F",
    "weather": """
        2 बारिश हो रही थी , इसलिए S=child (K=kin) अपने~K K के साथ घर में बैठा~S रहा!S
        2 बारिश हो रही थी , इसलिए S=child (O=umbrella) <colour:O> O लेकर P=place तक गया!S
        2 बहुत गरमी थी , इसलिए S=child ने (O=drink) ठंडा~O O पिया!O
        2 बहुत गरमी थी , इसलिए S=child N=pal के साथ नदी में नहाया!S
        2 बहुत ठंड थी , इसलिए S=child ने (O=warm) <colour:O> O पहना!O
        1 बहुत ठंड थी , इसलिए S=child ने (K=elder) अपने~K K के साथ (O=warm_drink) गरम O पिया!O
        3 जब बारिश होती है , तब (A=pet,pets,beast) <fur:A> A P=place के पास भीग जाता~A है~A
    """,
}
