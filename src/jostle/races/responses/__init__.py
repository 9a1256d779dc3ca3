"""Answers that come late: what a user has done meanwhile is overwritten, lost or sent twice (after AjaxRacer)."""
