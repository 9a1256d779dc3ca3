parts.push("clipboard");
