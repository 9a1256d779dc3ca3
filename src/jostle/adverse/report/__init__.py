"""How failures in adverse conditions are told, and what reports need to know of them."""
