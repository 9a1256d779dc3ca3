import { searchAsYouType } from "./search.js";

searchAsYouType(document.getElementById("search"), document.getElementById("hits"));
