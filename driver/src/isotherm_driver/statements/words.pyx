# SPDX-License-Identifier: Apache-2.0
"""The words of a CQL text, read no further than their routing needs."""

cdef extern from "Python.h":
    # memchr, whatever the width of the letters; no error with a text that has been made.
    Py_ssize_t PyUnicode_FindChar(object text, Py_UCS4 letter, Py_ssize_t at, Py_ssize_t end, int direction) noexcept

cdef enum:
    SMALL = 32      # how much further on in ASCII a small letter stands
    ENOUGH_IS = 64  # letters I without an F after them, after which the text is read instead

cdef str SELECT = "SELECT"
cdef str CONDITION = "IF"


cdef inline Py_ssize_t found(str text, Py_UCS4 letter, Py_ssize_t at) noexcept:
    """The place of a letter at or after a place; the text's end where there is none."""
    cdef Py_ssize_t place = PyUnicode_FindChar(text, letter, at, len(text), 1)
    return place if place >= 0 else len(text)


cdef Py_ssize_t past_pair(str text, Py_ssize_t at, Py_UCS4 first, Py_UCS4 second) noexcept:
    """The place past two letters that stand together at or after a place."""
    cdef Py_ssize_t end = len(text)
    at = found(text, first, at)
    while at + 1 < end and text[at + 1] != second:
        at = found(text, first, at + 1)
    return at + 2


cdef Py_ssize_t line_end(str text, Py_ssize_t at) noexcept:
    """The place where a line ends at or after a place: at a carriage return, too, as Cassandra reads comments."""
    cdef Py_ssize_t end = found(text, u"\n", at)
    cdef Py_ssize_t sooner = PyUnicode_FindChar(text, u"\r", at, end, 1)
    return sooner if sooner >= 0 else end


cdef Py_ssize_t past_comment(str text, Py_ssize_t at) noexcept:
    """The place past a comment that begins here, or this place where none does."""
    cdef Py_ssize_t end = len(text)
    if at + 1 >= end:
        return at
    if text[at] == u"/" and text[at + 1] == u"*":
        return past_pair(text, at + 2, u"*", u"/")
    if text[at] == text[at + 1] and (text[at] == u"-" or text[at] == u"/"):
        return line_end(text, at)
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
    cdef Py_UCS4 letter, wanted
    if len(text) - at < len(word):
        return False
    for i in range(len(word)):
        letter, wanted = text[at + i], word[i]
        if <long> letter != <long> wanted and <long> letter != <long> wanted + SMALL:
            return False
    return len(text) - at == len(word) or not is_of_word(text[at + len(word)])


cdef bint starts_with_select(str text):
    """Whether the text is that of a read."""
    return is_word(text, word_at(text, 0), SELECT)


cdef bint may_have_condition(str text) noexcept:
    """False where no I has an F after it, in whatever letters and places; it gives up where many have none."""
    cdef Py_ssize_t at, end = len(text)
    cdef int alone = 0
    cdef Py_UCS4 letter
    for letter in (u"i", u"I"):
        at = found(text, letter, 0)
        while at + 1 < end:
            if text[at + 1] == u"f" or text[at + 1] == u"F" or alone == ENOUGH_IS:
                return True
            alone += 1
            at = found(text, letter, at + 1)
    return False


cdef bint is_conditional(str text):
    """Whether the text is that of a lightweight transaction: a write with the word IF, which is reserved in CQL.

    A statement that is not prepared is read at each plan, so that what may be long is not read letter by letter: strings
    and comments, and numbers and blobs, which have no I.
    """
    cdef Py_ssize_t at = word_at(text, 0), end = len(text)
    if is_word(text, at, SELECT) or not may_have_condition(text):
        return False
    while at < end:
        if text[at] == u"'" or text[at] == u'"':
            at = found(text, text[at], at + 1) + 1  # a quote doubled inside begins the next string
        elif text[at] == u"$" and at + 1 < end and text[at + 1] == u"$":
            at = past_pair(text, at + 2, u"$", u"$")
        elif is_of_word(text[at]):
            if is_word(text, at, CONDITION):
                return True
            while at < end and is_of_word(text[at]):
                at += 1
        else:
            at += 1
        at = word_at(text, at)
    return False
