"""One sentence for each step: templates in this folder, filled in from the state.

A file has a template for each line that a paper prints, under its tag (`DABA fixup l.19`).  For lines of algorithms
that no paper lists, the key is the function and the beginning of the line (`Sliced.insert: newest.partial`).  The page
shows these lines as steps by default; a line without a template checks arguments, or is inside a helper.

A template is a sentence, or for a condition two: `yes` if its body runs next, `no` otherwise.  Names in braces are
filled in: a local variable (`{v}`), an attribute (`{s.clock}`, where `s` is the window), a word of the scene (`{left}`,
from `words_of`), or `{combined}`, the combine calls of the line and of the functions that it calls.
"""
