# SPDX-License-Identifier: Apache-2.0
"""The words of a CQL text, read no further than their routing needs."""

cdef enum:
    SMALL = 32  # how much further on in ASCII a small letter stands

cdef str SELECT = "SELECT"


cdef Py_ssize_t word_at(str text, Py_ssize_t start) noexcept:
    """Where the first word begins at or after a place: past blanks and comments."""
    cdef Py_ssize_t at = start, end = len(text)
    while at < end:
        if text[at] == u" " or u"\t" <= text[at] <= u"\r":
            at += 1
        elif at + 1 < end and text[at] == u"/" and text[at + 1] == u"*":
            at += 3
            while at < end and not (text[at - 1] == u"*" and text[at] == u"/"):
                at += 1
            at += 1
        elif at + 1 < end and text[at] == text[at + 1] and (text[at] == u"-" or text[at] == u"/"):
            while at < end and text[at] != u"\n":
                at += 1
        else:
            return at
    return end


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
    return len(text) - at == len(word) or not (<Py_UCS4> text[at + len(word)]).isalnum()


cdef bint starts_with_select(str text):
    """Whether the text is that of a read."""
    return is_word(text, word_at(text, 0), SELECT)
