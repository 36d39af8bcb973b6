"""Names for those who give none."""

ANIMALS = tuple(
    (
        "Albatross Alpaca Anteater Antelope Armadillo Badger Bat Bear Beaver Bison Buffalo Camel Capybara Caribou "
        "Chameleon Cheetah Chinchilla Condor Coyote Crane Dolphin Dormouse Eagle Echidna Egret Elephant Elk Falcon "
        "Ferret Finch Flamingo Fox Gazelle Gecko Gibbon Giraffe Hare Hedgehog Heron Hippo Ibex Iguana Jackal Jaguar "
        "Kangaroo Kingfisher Kiwi Koala Lemur Leopard Llama Lynx Manatee Marmot Meerkat Mole Moose Narwhal Newt Ocelot "
        "Octopus Okapi Orca Ostrich Otter Owl Panda Panther Pelican Penguin Puffin Quail Raccoon Raven Robin Salmon "
        "Seahorse Seal Sloth Sparrow Squid Stork Swan Tapir Toucan Turtle Vole Walrus Weasel Wolf Wombat Yak Zebra"
    ).split()
)
