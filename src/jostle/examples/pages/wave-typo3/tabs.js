parts.push("tabs");
