var Shop = { name: "Corner shop", offers: [] };
