const parts = [];
parts.push("frame");
