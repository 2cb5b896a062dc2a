# SPDX-License-Identifier: Apache-2.0
"""The words of a CQL text, read no further than their routing needs."""

cdef enum:
    SMALL = 32  # how much further on in ASCII a small letter stands

cdef str SELECT = "SELECT"
cdef str CONDITION = "IF"


cdef Py_ssize_t past_quoted(str text, Py_ssize_t at) noexcept:
    """The place past a string or a quoted name that begins here; a quote doubled inside begins the next one."""
    cdef Py_UCS4 quote = text[at]
    at += 1
    while at < len(text) and text[at] != quote:
        at += 1
    return at + 1


cdef Py_ssize_t past_dollars(str text, Py_ssize_t at) noexcept:
    """The place past a string between double dollars that begins here."""
    at += 3
    while at < len(text) and not (text[at - 1] == u"$" and text[at] == u"$"):
        at += 1
    return at + 1


cdef Py_ssize_t past_comment(str text, Py_ssize_t at) noexcept:
    """The place past a comment that begins here, or this place where none does."""
    cdef Py_ssize_t end = len(text)
    if at + 1 >= end:
        return at
    if text[at] == u"/" and text[at + 1] == u"*":
        at += 3
        while at < end and not (text[at - 1] == u"*" and text[at] == u"/"):
            at += 1
        return at + 1
    if text[at] == text[at + 1] and (text[at] == u"-" or text[at] == u"/"):
        while at < end and text[at] != u"\n":
            at += 1
    return at


cdef Py_ssize_t word_at(str text, Py_ssize_t start) noexcept:
    """Where the first word, or whatever is neither blank nor comment, begins at or after a place."""
    cdef Py_ssize_t at = start, past, end = len(text)
    while at < end:
        if text[at] == u" " or u"\t" <= text[at] <= u"\r":
            at += 1
            continue
        past = past_comment(text, at)
        if past == at:
            return at
        at = past
    return end


cdef bint is_of_word(Py_UCS4 letter) noexcept:
    return letter == u"_" or letter.isalnum()


cdef bint is_word(str text, Py_ssize_t at, str word) noexcept:
    """Whether a word in capitals stands at a place, in whatever letters."""
    cdef Py_ssize_t i
    cdef Py_UCS4 found, wanted
    if len(text) - at < len(word):
        return False
    for i in range(len(word)):
        found, wanted = text[at + i], word[i]
        if <long> found != <long> wanted and <long> found != <long> wanted + SMALL:
            return False
    return len(text) - at == len(word) or not is_of_word(text[at + len(word)])


cdef bint starts_with_select(str text):
    """Whether the text is that of a read."""
    return is_word(text, word_at(text, 0), SELECT)


cdef bint is_conditional(str text):
    """Whether the text is that of a lightweight transaction: a write with the word IF, which is reserved in CQL."""
    cdef Py_ssize_t at = word_at(text, 0), end = len(text)
    if is_word(text, at, SELECT):
        return False
    while at < end:
        if text[at] == u"'" or text[at] == u'"':
            at = past_quoted(text, at)
        elif text[at] == u"$" and at + 1 < end and text[at + 1] == u"$":
            at = past_dollars(text, at)
        elif is_of_word(text[at]):
            if is_word(text, at, CONDITION):
                return True
            while at < end and is_of_word(text[at]):
                at += 1
        else:
            at += 1
        at = word_at(text, at)
    return False
