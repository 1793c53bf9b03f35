"""Packing the encoder: from the weights that a package carries to a bundle of kind `encoder`."""
