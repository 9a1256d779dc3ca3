"""Corner Shop: stock, orders, picking and messages of a small shop, rendered on the server, with htmx and Alpine."""
