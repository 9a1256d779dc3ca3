parts.push("tree");
