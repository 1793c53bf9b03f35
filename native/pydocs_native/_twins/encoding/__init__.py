"""Texts to vectors in Python: the same bits as in Rust, thousands of times slower."""
