"""The interface of a server: learned from traffic, written down in AIL, checked, and stood in for."""
