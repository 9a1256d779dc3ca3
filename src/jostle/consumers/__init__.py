"""What is made of the stream of a run: each output is one class that takes the events as they come."""
