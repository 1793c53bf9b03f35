def broken(:
    pass


def fine():
    return broken()
