parts.push("shortcuts");
