from shop.things import Thing, Special as Kind, made
