// The beginning: one controller for each document. A second copy stands back.
(repair) => {
  // Once its handlers have finished: what they request is part of loading, too.
  const parsed = () => repair.nextTask().then(repair.parsingEnded);
  if (document.readyState === "loading") repair.listen(globalThis, "DOMContentLoaded", parsed);
  else if (document.readyState === "interactive") for (const type of ["DOMContentLoaded", "load"]) repair.listen(globalThis, type, parsed);
  else parsed();
  Object.defineProperty(globalThis, Symbol.for("jostle.repair"), { value: { report: repair.report, retire: repair.finish, document }, configurable: true });
  repair.settled();
}
