// What is around the parts: one controller for each document, with the policy that is given or stands in the page.
(given) => {
  "use strict";
  const there = globalThis[Symbol.for("jostle.repair")];
  if (there?.document === document) {
    console.warn("jostle repair: there is a controller in this page already; this copy does nothing.");
    return;
  }
  there?.retire();
  const policy = given ?? JSON.parse(document.currentScript?.dataset.policy || document.getElementById("jostle-repair")?.textContent || "null");
  if (!policy) {
    console.warn('jostle repair: no policy. Put it into <script type="application/json" id="jostle-repair"> above this script.');
    return;
  }
  policy.rules ??= [];
  const repair = { policy };
  for (const part of ["parts"]) part(repair);
}
