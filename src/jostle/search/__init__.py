"""What a search is: a job in, one stream of typed events out, and the techniques that there are."""
