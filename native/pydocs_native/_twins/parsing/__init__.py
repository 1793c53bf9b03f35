"""The parts of the parser's twin, one for each part of the Rust parser."""
