"""From what a bundle says to vectors that stand for it."""
