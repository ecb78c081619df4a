"""The IR: nodes, the codec of its JSON form, the checks of a finished IR and its lints.

A program is this data; text is one way to make it. Import what you need from the modules:
`nodes`, `write.write_json`, `read.read_json`, `validate.validate`, `spans.SpanTable`.
"""
