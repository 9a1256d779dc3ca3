import { find, say } from "./state.js";
import "./fields.js";
import "./pointer.js";
import "./dialogs.js";
import "./components.js";
import "./windows.js";
import "./observers.js";
import "./background.js";
import "./animation.js";
import "./network.js";
import "./storage.js";

say("module", "ran");
find("main").inert = false;
