parts.push("icons");
