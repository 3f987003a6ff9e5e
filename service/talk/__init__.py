"""Talk at the table: messages of people about a match, outside of its annals, so that each can be
erased.
"""
