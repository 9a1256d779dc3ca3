const COLOURS = { sold: "green", ordered: "grey" };
