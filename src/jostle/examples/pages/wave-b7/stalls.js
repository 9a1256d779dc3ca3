const stalls = ["tea", "bread", "cheese"];
