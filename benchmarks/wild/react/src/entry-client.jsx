import { hydrateRoot } from "react-dom/client";
import { Document } from "./Document.jsx";
import { sendUsageOnLeave } from "./usage.js";

hydrateRoot(document, <Document state={window.__STATE__} />);
sendUsageOnLeave();
