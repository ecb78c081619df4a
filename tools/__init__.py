"""Commands for those who change serQ: what generates files and pages."""
