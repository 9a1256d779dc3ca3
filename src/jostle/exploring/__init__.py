"""What to do next in an application: at random, by macros, guided by what is known of it."""
