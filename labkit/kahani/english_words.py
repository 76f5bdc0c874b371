"""The words of Kahani in English (see grammar.py for the notation, english.py for the agreements)."""

from __future__ import annotations

WORDS = {
    # Two lists of names, so that nobody meets himself.
    "name": """
        m raju 4, ravi 4, ali 3, om 2, dev 3, amit 3, arun 3, kabir 3, iqbal 2, john 2, jai 2, mohan 3
        m sonu 3, bala 2, vijay 2, yash 2, zafar 2, hari 3, karan 2, gopal 3, nikhil 2, rohan 3, sami 2
        m uday 2, deepu 2, tenzin 1
        f meera 4, asha 4, tina 3, rani 3, sita 3, uma 2, lata 3, noor 2, zoya 2, esha 2, fatima 2
        f gita 3, hema 2, jaya 2, kavya 2, maya 3, nina 3, pooja 3, priya 3, radha 3, rita 2, salma 2
        f seema 3, tara 3, veena 2, xena 1
    """,
    "pal": """
        m anil 3, babu 3, chintu 2, farid 2, ganesh 3, imran 2, jatin 2, kishan 3, laxman 2, manu 3
        m naveen 2, pavan 2, qasim 1, rahul 3, sunil 3, tarun 2, varun 2, vikram 2, joseph 1, umesh 2
        m balu 2, dinesh 2, hamid 2, ajay 3
        f anju 3, bina 3, chitra 2, diya 3, gauri 2, heena 2, ila 2, juhi 2, kiran 2, leela 3, mary 2
        f neha 3, parvati 1, reena 3, sonam 2, usha 3, wahida 1, yamuna 1, zeenat 1, mala 3, pinky 2
        f sarita 2, shanti 2, vidya 2, deepa 3
    """,
    "kid": """
        m boy 8
        f girl 8
        p boys 4, girls 4, children 4, twins 2, friends 2, sisters 2, brothers 2
    """,
    "kin": """
        m brother 4, uncle 2, cousin 1, friend 2, father 2, grandfather 2
        f sister 4, aunt 2, cousin 1, friend 2, mother 2, grandmother 2
    """,
    "sibling": """
        m brother 4, cousin 1, friend 2, uncle 1
        f sister 4, cousin 1, friend 2, aunt 1
    """,
    "elder": """
        m grandfather 3, uncle_joseph 2, uncle_ravi 2, the_old_king 1, the_kind_doctor 1
        f grandmother 3, aunt_meera 2, aunt_salma 2, the_old_queen 1, the_kind_nurse 1
    """,
    "trade": """
        m farmer#farm 4, fisherman#fish 3, potter#pot 2, tailor#sew 2, baker#bake 3, postman#post 2
        m driver#drive 2, carpenter#wood 2, gardener#garden 3, teacher#teach 2, doctor#heal 2
        f farmer#farm 3, potter#pot 2, tailor#sew 3, baker#bake 2, gardener#garden 2, teacher#teach 3
        f doctor#heal 3
        p farmers#farm 3, fishermen#fish 3, potters#pot 2, tailors#sew 2, bakers#bake 2, drivers#drive 2
        p gardeners#garden 2, teachers#teach 2, doctors#heal 2
    """,
    "pet": """
        n dog#dog 6, cat#cat 6, cow#grass 3, goat#grass 4, pony#grass 2, duck#pond 3, parrot#bird 4
        n rabbit#grass 3
    """,
    "pets": """
        p dogs#dog 5, cats#cat 5, cows#grass 4, goats#grass 5, ponies#grass 2, ducks#pond 4
        p parrots#bird 3, rabbits#grass 4, hens#hen 3
    """,
    "beast": """
        n monkey#climb 4, squirrel#climb 3, frog#pond 3, turtle#pond 2, sparrow#bird 3, crow#bird 4
        n peacock#bird 2, pigeon#bird 2, fox#wild 3, bear#wild 2, tiger#wild 2, deer#wild 2
        n mongoose#wild 1, hare#grass 2
    """,
    "beasts": """
        p monkeys#climb 4, squirrels#climb 3, frogs#pond 3, turtles#pond 2, sparrows#bird 4
        p crows#bird 4, peacocks#bird 2, pigeons#bird 3, foxes#wild 2, bears#wild 1, tigers#wild 1
        p hares#grass 1, elephants#grass 2
    """,
    "single": """
        s kite#torn 5, ball#lost 5, doll#torn 3, drum#torn 3, bat#broken 3, whistle#lost 2, top#lost 2
        s bell#lost 2, cart#broken 2, flute#broken 3, boat#broken 2, puppet#torn 2, mask#torn 2
        s book#torn 3, bag#torn 3, clock#broken 2, cap#lost 3, ring#lost 2, pen#broken 3
        s basket#broken 2, lamp#broken 2, cup#broken 2, key#lost 2, box#broken 2, shawl#torn 2
        s scarf#torn 1, brush#lost 1, purse#lost 1, mirror#broken 1, slate#broken 2, stool#broken 1
        s rope#lost 2
    """,
    "several": """
        p marbles#lost 3, shoes#torn 3, bangles#broken 3, beads#lost 2, crayons#broken 2, socks#torn 2
        p cards#lost 2, blocks#lost 1, bells#lost 1, ribbons#torn 2, glasses#broken 1, slippers#torn 1
        p gloves#torn 1, shells#lost 1
    """,
    "umbrella": "v umbrella#torn 2",
    "fruit": """
        x a_mango 4, a_banana 3, a_guava 3, a_pear 2, a_plum 2, a_melon 2, an_apple 3, an_orange 2
        x a_carrot, a_fig, a_lemon, a_biscuit, a_sweet, a_bun, a_coconut
    """,
    "harvest": """
        x mangoes 4, bananas 3, grapes 3, plums 2, nuts 2, berries 2, figs 2, apples 3, guavas 3
        x carrots 3, beans 2, peas 3, pears 2, melons 2, dates 2, oranges 2, tomatoes 2, radishes 1
        x lemons 1, cherries 1
    """,
    "dish": """
        x rice 5, bread 5, puri 3, fish 2, cake 2, idli 2, dosa 2, poha 2, eggs 2, noodles 1, corn 1
        x toast 1, pulao 1
    """,
    "side": """
        x dal 4, soup 3, curd 3, jam 2, halwa 2, honey 2, salad 2, kheer 2, butter 1, cheese 1, sweets 2
        x pickle 2, milk 2, chutney 2, nuts 1, fruit 1
    """,
    "crop": "x wheat 4, rice 4, corn 3, cotton 2, mustard 2, millet 2, tea 1, sugar_cane 1",
    "feed": "x bread 3, rice 3, corn 3, seeds 2, fruit 2, milk 3, leaves 1",
    "shop": "x market 5, fair 4, shop 4, bazaar 2, mall 1",
    "place": """
        x river 5, school 5, temple 4, well 4, market 4, bridge 3, pond 3, hill 3, mosque 3, library 2
        x park 3, shop 3, station 2, garden 3, forest 3, lake 3, mill 2, church 2, bakery 2, gate 2
        x field 3, tower 2, village 3, fort 2, palace 1, bank 1, hostel 1, museum 1, stable 1, zoo 1
        x dam 1, canal 2, clinic 1, harbour 1
    """,
    "roof": """
        x school 4, temple 4, shop 3, mosque 3, library 2, station 2, mill 2, church 2, bakery 2
        x palace 1, clinic 1, hut 3, house 4, stable 2, museum 1, inn 1, post_office 1, barn 2
    """,
    "colour": """
        x red 5, blue 4, green 4, yellow 4, white 4, black 3, pink 3, brown 3, purple 2, golden 2
        x grey 2, silver 1, violet 1, dark_blue 1, light_green 1, striped 1
    """,
    "look": """
        x big 4, small 4, new 4, pretty 3, shiny 3, fine 3, lovely 3, tiny 3, bright 2, clean 2
        x simple 2, cheap 2, strange 2, little 3, nice 3, good 2, costly 1, plain 1, special 2, funny 2
        x smart 1, magic 1, famous 1, beautiful 1
    """,
    "nature": """
        x kind 4, little 4, tall 3, happy 3, brave 3, shy 3, clever 3, quiet 3, young 3, polite 2
        x lazy 2, funny 2, merry 2, busy 2, gentle 2, strong 2, good 2, curious 2, careful 2, cheerful 1
        x wise 2, noisy 1, sleepy 1, friendly 2, calm 2, jolly 2, neat 1, bold 2, patient 1
        x thoughtful 1, helpful 2, fair 1, quick 2, sweet 2
    """,
    "fur": """
        x brown 4, black 4, white 4, young 3, hungry 3, small 3, fat 2, thin 2, grey 3, lazy 2, big 3
        x little 3, tired 2, clever 2, shy 2, noisy 2, quick 2, friendly 1, sleepy 2, playful 1
        x strange 1, brave 1, pretty 2
    """,
    "day": "x monday 3, tuesday 3, wednesday 2, thursday 3, friday 4, saturday 4, sunday 5",
    "part": "x morning 5, evening 5, afternoon 3, night 2",
    "count": "x two 5, three 4, four 3, five 3, six 2, seven 2, eight 1, nine 1, ten 2, many 3",
    "flower": """
        x roses 3, lilies 2, marigolds 3, lotuses 1, daisies 2, sunflowers 2, tulips 1, orchids 1
        x violets 1
    """,
    "cloth": """
        x shirts 3, coats 2, caps 2, saris 3, skirts 2, shawls 2, scarves 1, curtains 1, dresses 2
        x vests 1
    """,
    "tale": """
        x long 3, short 3, funny 3, sad 2, sweet 2, new 3, merry 2, strange 1, lovely 2, true 1, good 2
        x magic 1
    """,
    "dread": "x loud 3, strange 2, sudden 2, sharp 1",
    "glad": "x happy 5, glad 3, proud 2, pleased 1, joyful 1, thankful 1",
    "sad": "x sad 5, angry 3, upset 2, cross 1, unhappy 1, gloomy 1",
    "both": "p both",
}

WORDS["toy"] = "\n".join(WORDS[name].strip() for name in ("single", "several", "umbrella"))
