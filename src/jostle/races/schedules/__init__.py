"""All orders that matter: which events of a run conflict, and what happens when they come in another order.

Two searches over the same `Runner`: `model_check` (R4: reverse one conflict at a time) and `wave` (WAVE: feasible
orders, those first that cover most new pairs). Both know an application only as `jostle.events.App`.
"""
