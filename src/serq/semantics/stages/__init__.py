"""Stages: how work is done, one module a kind (contract §3, *Stages*)."""
