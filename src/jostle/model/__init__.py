"""What is learned of an application: its states, its model, and the macro events of its users."""
