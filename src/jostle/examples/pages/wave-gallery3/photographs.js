const photographs = ["dune", "fjord", "harbour"];
