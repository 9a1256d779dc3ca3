"""Rewriting popular libraries: how fast, how many, whether they still work, and how much slower: `make eval-rewriting`.

Libraries come from npm and are kept in `.jostle/libraries`.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import http.server
import io
import json
import shutil
import subprocess
import sys
import tarfile
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from jostle.browser.connection import Connection, Session
from jostle.browser.launch import launched
from jostle.browser.loop import run
from jostle.errors import CouldNotRun
from jostle.instrument import Rewriter, memory

CACHE = Path(".jostle/libraries")
_DOWNLOAD_SECONDS = 300
_WORK_SECONDS = 300
_LEAST_CHARACTERS = 2_000
"""Smaller files say little."""


@dataclass(frozen=True)
class Library:
    """A package, the scripts a page would load, and work for them that gives a result."""

    name: str
    version: str
    scripts: tuple[str, ...] = ()
    work: str = ""
    needs: tuple[str, ...] = ()
    """Other libraries, loaded before."""
    timed: bool = False
    before: str = ""
    """A script to run first."""


_REACT = """
  const e = React.createElement, root = document.createElement("div");
  const Row = ({ n, on }) => { const [own, set] = React.useState(0);
    return e("li", { className: on ? "on" : "off", onClick: () => set(own + 1) }, `${n}:${own}`); };
  let pick; const List = () => { const [chosen, choose] = React.useState(0); pick = choose;
    return e("ul", null, Array.from({ length: 200 }, (_, n) => e(Row, { key: n, n: (n * 7) % 200, on: n === chosen }))); };
  const mounted = ReactDOM.createRoot(root); ReactDOM.flushSync(() => mounted.render(e(List)));
  for (let n = 0; n < 20; n++) ReactDOM.flushSync(() => pick(n));
  const html = root.innerHTML; mounted.unmount(); return html;"""  # noqa: E501
_LODASH = """
  const people = _.times(2000, (n) => ({ n, name: `n${(n * 31) % 977}`, group: n % 17, tags: [n % 3, n % 5] }));
  const made = _(people).filter((p) => p.n % 2).sortBy("name").groupBy("group").mapValues((g) => _.map(g, "n")).value();
  return [made, _.cloneDeep(people).length, _.isEqual(people, _.cloneDeep(people)), _.uniqBy(people, "name").length,
    _.template("<% _.each(all, (x) => { %><b><%- x %></b><% }) %>")({ all: ["<", "&"] }), _.chunk(_.range(10), 3)];"""
_D3 = """
  const points = Array.from({ length: 300 }, (_, n) => ({ x: n, y: Math.sin(n) * 10, id: `p${n}`, parent: n ? `p${(n - 1) >> 1}` : "" }));
  const scale = d3.scaleLinear().domain(d3.extent(points, (p) => p.y)).range([0, 100]).nice();
  const root = d3.tree().size([100, 100])(d3.stratify().parentId((p) => p.parent)(points));
  const svg = d3.create("svg"); svg.selectAll("circle").data(points).join("circle").attr("cx", (p) => p.x).attr("cy", (p) => scale(p.y));
  const force = d3.forceSimulation(points.map((p) => ({ ...p }))).force("charge", d3.forceManyBody()).stop(); force.tick(5);
  return [svg.node().outerHTML.length, root.descendants().map((d) => Math.round(d.x)), scale.ticks(5), d3.format(",.2f")(12345.678),
    d3.line()(points.slice(0, 9).map((p) => [p.x, p.y])), force.nodes().map((n) => Math.round(n.x))];"""  # noqa: E501
_JQUERY = """
  const box = $("<div>").appendTo("body"); for (let n = 0; n < 300; n++) box.append($("<p>").addClass(n % 2 ? "odd" : "even").text(n));
  let seen = 0; box.on("go", "p.odd", () => seen++); box.find("p:gt(100)").not(".even").trigger("go").data("x", { y: 1 });
  const text = box.find("p.odd:contains(9)").map((n, p) => $(p).text()).get().join(); const d = await $.Deferred((d) => d.resolve(3));
  const html = box.html(); box.remove(); return [seen, text, d, html.length, $.extend(true, {}, { a: { b: [1] } }), $.param({ a: [1, 2] })];"""  # noqa: E501
_VUE = """
  const root = document.createElement("div");
  const app = Vue.createApp({ data: () => ({ rows: Array.from({ length: 200 }, (_, n) => ({ n })), q: "" }),
    computed: { shown() { return this.rows.filter((r) => String(r.n).includes(this.q)) } },
    template: '<input v-model="q"><p v-for="r in shown" :key="r.n" :class="{ odd: r.n % 2 }">{{ r.n }}<b v-if="r.n > 9">!</b></p>' });
  const page = app.mount(root); for (const q of ["1", "12", "", "9"]) { page.q = q; await Vue.nextTick(); }
  page.rows.reverse(); await Vue.nextTick(); const html = root.innerHTML; app.unmount(); return html;"""  # noqa: E501
_TYPESCRIPT = """
  const source = `interface A<T> { x: T; y?: A<T>[] } enum E { P, Q = 4 } class C<T> implements A<T> { #p = 1; constructor(public x: T) {}
    get v() { return this.#p ?? 2 } async *all() { yield* [this.x] } } export const f = <T,>(a: A<T>): T => a.y?.[0]?.x ?? a.x;`.repeat(12);
  const made = ts.transpileModule(source, { compilerOptions: { target: ts.ScriptTarget.ES2015, module: ts.ModuleKind.CommonJS } });
  return made.outputText;"""  # noqa: E501
_ANGULAR = """
  angular.module("m", []).value("n", 3).factory("twice", (n) => n * 2).controller("C", function ($scope, twice) { $scope.v = twice; $scope.go = () => $scope.v++ });
  const root = angular.element('<div ng-controller="C"><p ng-repeat="x in [1,2,3]" ng-click="go()">{{x}}:{{v | number:1}}</p></div>');
  const injector = angular.bootstrap(root, ["m"]); root.find("p").eq(1).triggerHandler("click"); root.injector().get("$rootScope").$apply();
  return [root.text(), injector.annotate(function (a, b_c, $d) {})];"""  # noqa: E501
_CODEMIRROR = """
  const root = document.body.appendChild(document.createElement("div")); const editor = CodeMirror(root, { value: "line\\n".repeat(300) });
  for (let n = 0; n < 60; n++) editor.replaceRange(`x${n} `, { line: n * 3, ch: 2 }); editor.undo(); editor.setSelection({ line: 1, ch: 0 }, { line: 9, ch: 2 });
  editor.replaceSelection("new", "around"); const value = [editor.getValue(), editor.lineCount(), editor.historySize()]; root.remove(); return value;"""  # noqa: E501
_THREE = """
  const T = exports, scene = new T.Scene(), camera = new T.PerspectiveCamera(50, 1, 1, 99); camera.position.z = 9;
  for (let n = 0; n < 60; n++) { const mesh = new T.Mesh(new T.TorusKnotGeometry(1, 0.3, 32, 8), new T.MeshBasicMaterial()); mesh.rotation.set(n, n / 2, 0);
    mesh.position.set(n % 7, n % 5, n % 3); scene.add(mesh); } scene.updateMatrixWorld(); camera.updateMatrixWorld();
  const hits = new T.Raycaster(new T.Vector3(0, 0, 9), new T.Vector3(0.1, 0.1, -1).normalize()).intersectObjects(scene.children);
  return [hits.length, hits[0]?.distance.toFixed(4), new T.Box3().setFromObject(scene).max.toArray().map((x) => x.toFixed(4)), scene.children[3].matrixWorld.elements];"""  # noqa: E501
_UNDERSCORE = """const M = Backbone.Model.extend({ defaults: { n: 1 } }), all = new Backbone.Collection([], { model: M, comparator: "n" }); let heard = [];
  all.on("add remove change:n", (m) => heard.push(m.get("n"))); for (let n = 0; n < 50; n++) all.add({ n: (n * 7) % 50 }); all.at(3).set({ n: 99 });
  return [heard, all.pluck("n"), _.groupBy([1, 2, 3], (x) => x % 2), _.template("<%= a %>")({ a: 1 })];"""  # noqa: E501
_MOMENT = """return Array.from({ length: 300 }, (_, n) => moment.utc(n * 1e10).add(n, "days").startOf("month").format("dddd, Do MMMM YYYY H:mm")).concat(
  moment.duration(5, "hours").humanize(), moment.utc("2024-02-30", "YYYY-MM-DD", true).isValid());"""  # noqa: E501
_PREACT = """const root = document.createElement("div"), h = preact.h; class C extends preact.Component { render(p, s) { return h("p", null, p.n, s.k) } }
  for (let n = 0; n < 30; n++) preact.render(h("div", null, Array.from({ length: 50 }, (_, k) => h(C, { n: n + k, key: (k * n) % 53 }))), root); return root.innerHTML;"""  # noqa: E501

LIBRARIES = (
    Library("react", "18.3.1", ("umd/react.production.min.js",)),
    Library("react-dom", "18.3.1", ("umd/react-dom.production.min.js",), _REACT, ("react",), timed=True),
    Library("vue", "3.5.13", ("dist/vue.global.prod.js",), _VUE, timed=True),
    Library("jquery", "3.7.1", ("dist/jquery.min.js",), _JQUERY),
    Library("lodash", "4.17.21", ("lodash.min.js",), _LODASH, timed=True),
    Library("d3", "7.9.0", ("dist/d3.min.js",), _D3, timed=True),
    Library("three", "0.170.0", ("build/three.cjs",), _THREE, before="var exports = {};"),
    Library("typescript", "5.6.3", ("lib/typescript.js",), _TYPESCRIPT, timed=True),
    Library("codemirror", "5.65.18", ("lib/codemirror.js",), _CODEMIRROR),
    Library("angular", "1.8.3", ("angular.min.js",), _ANGULAR),
    Library("underscore", "1.13.7", ("underscore-umd-min.js",)),
    Library("backbone", "1.6.0", ("backbone-min.js",), _UNDERSCORE, ("underscore",)),
    Library("moment", "2.30.1", ("min/moment-with-locales.min.js",), _MOMENT),
    Library("swagger-ui-dist", "5.18.2", ("swagger-ui-bundle.js",)),
    Library("@node-red/editor-client", "4.0.5", ("public/red/red.min.js", "public/vendor/vendor.js")),
    Library("monaco-editor", "0.52.0", ("min/vs/editor/editor.main.js",)),
    Library("preact", "10.25.1", ("dist/preact.min.js",), _PREACT),
)

# Sinks: one that does nothing shows what the probes themselves cost, one that keeps each location once what is
# the least that a recording costs.
_EMPTY = "{ object() {}, variable() {}, code: (text) => text }"
_ONCE = """(() => { const objects = new Map(), globals = new Set(); return {
  object(object, key, mode) { let known = objects.get(object); if (!known) objects.set(object, (known = new Map()));
    const seen = known.get(key) ?? 0; if ((seen | mode) !== seen) known.set(key, seen | mode); },
  variable(scope, name, mode) { if (scope) this.object(scope, name, mode); else globals.add(name); },
  code: (text) => text, forget() { objects.clear(); globals.clear(); } }; })()"""


class Script(msgspec.Struct, kw_only=True):
    """What became of one file."""

    library: str
    file: str
    characters: int
    seconds: float
    growth: float = 1.0
    problem: str = ""


class Trial(msgspec.Struct, kw_only=True):
    """One library at work: milliseconds as it is, with probes, and with probes and a sink that keeps."""

    library: str
    same: bool
    difference: str = ""
    plain: float = 0.0
    probed: float = 0.0
    kept: float = 0.0


def fetched(library: Library, cache: Path = CACHE) -> Path:
    """The directory of a package; downloaded when it is not there. Raises CouldNotRun."""
    home = cache / f"{library.name.replace('/', '-')}-{library.version}"
    if (home / "complete").exists():
        return home / "package"
    if not shutil.which("npm"):
        raise CouldNotRun("The libraries come from npm, which is missing.", advice="On Debian: apt-get install npm")
    shutil.rmtree(home, ignore_errors=True)
    home.mkdir(parents=True)
    command = ["npm", "pack", "--silent", f"{library.name}@{library.version}"]
    try:
        done = subprocess.run(command, cwd=home, check=True, capture_output=True, timeout=_DOWNLOAD_SECONDS)
    except subprocess.TimeoutExpired:
        raise CouldNotRun(f"{library.name} took more than {_DOWNLOAD_SECONDS} seconds to download.") from None
    except subprocess.CalledProcessError as error:
        raise CouldNotRun(f"{library.name} could not be downloaded: {error.stderr.decode()[-500:]}") from None
    archive = home / done.stdout.decode().strip().splitlines()[-1]
    with tarfile.open(fileobj=io.BytesIO(archive.read_bytes())) as tar:
        tar.extractall(home, filter="data")
    (home / "complete").touch()
    return home / "package"


# Rewriting ---------------------------------------------------------------------------------------------------------


def scripts_of(library: Library) -> Iterator[tuple[str, str]]:
    """All scripts of a package that are worth it, those that the page loads first."""
    home = fetched(library)
    files = [home / name for name in library.scripts]
    files += sorted(file for end in ("js", "mjs") for file in home.rglob(f"*.{end}") if file not in files)
    for file in files:
        source = file.read_text("utf-8", "replace")
        if len(source) >= _LEAST_CHARACTERS:
            yield str(file.relative_to(home)), source


def is_module(file: str, source: str) -> bool:
    lines = source.splitlines()
    marks = ("import ", "import{", "import*", 'import"', "export ", "export{", "export*")
    return file.endswith(".mjs") or any(line.startswith(marks) or ";export{" in line for line in lines)


@dataclass
class Checked:
    """Rewritten files, and those that a browser takes for wrong while it takes the original."""

    scripts: list[Script] = field(default_factory=list)
    broken: list[str] = field(default_factory=list)


async def rewrite_all(libraries: Sequence[Library], session: Session, most: int) -> Checked:
    checked = Checked()
    for library in libraries:
        for file, source in list(scripts_of(library))[:most]:
            module = is_module(file, source)
            begun = time.process_time()
            made = Rewriter(memory).script(source, file, module=module)
            seconds = time.process_time() - begun
            script = Script(
                library=library.name, file=file, characters=len(source), seconds=seconds, problem=made.problem,
                growth=len(made.code) / len(source),
            )  # fmt: skip
            checked.scripts.append(script)
            if (
                not made.problem
                and not module
                and await compiles(session, source)
                and not await compiles(session, made.code)
            ):
                checked.broken.append(f"{library.name} {file}")
    return checked


async def compiles(session: Session, source: str) -> bool:
    answer = await session.send(
        "Runtime.compileScript", {"expression": source, "sourceURL": "", "persistScript": False}, timeout=60
    )
    return "exceptionDetails" not in answer


# Running -----------------------------------------------------------------------------------------------------------


@contextlib.contextmanager
def serving(files: dict[str, str]) -> Iterator[str]:
    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = files.get(self.path, "").encode()
            self.send_response(200 if self.path in files else 404)
            self.send_header(
                "Content-Type", "text/javascript" if self.path.endswith("js") else "text/html; charset=utf-8"
            )
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *arguments: object) -> None:
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


def pages(library: Library, libraries: Sequence[Library]) -> dict[str, str]:
    """A page as it is, one with probes, and one whose probes are heard."""
    by_name = {each.name: each for each in libraries}
    loaded = [by_name[name] for name in library.needs] + [library]
    files: dict[str, str] = {}
    plain, probed = "", ""
    for each in loaded:
        for script in each.scripts:
            source = (fetched(each) / script).read_text("utf-8")
            made = Rewriter(memory).script(source, script)
            if made.problem:
                raise CouldNotRun(f"{each.name} {script} was not rewritten: {made.problem}")
            number = len(files)
            files[f"/{number}.js"], files[f"/{number}p.js"] = source, made.code
            plain += f"<script src={number}.js></script>"
            probed += f"<script src={number}p.js></script>"
    for name, sink in (("probed", _EMPTY), ("kept", _ONCE)):
        files[f"/{name}.js"] = f"window.sink = {sink}; ({memory.runtime})(sink)"
        files[f"/{name}"] = (
            f"<!doctype html><body><script src={name}.js></script><script>{library.before}</script>{probed}"
        )
    files["/plain"] = f"<!doctype html><body><script>{library.before}</script>{plain}"
    return files


async def opened(connection: Connection, url: str = "about:blank") -> Session:
    target = await connection.send("Target.createTarget", {"url": "about:blank"})
    attached = await connection.send("Target.attachToTarget", {"targetId": target["targetId"], "flatten": True})
    loaded = asyncio.Event()

    def heard(method: str, params: dict[str, Any]) -> None:
        if method == "Page.loadEventFired":
            loaded.set()

    session = connection.session(attached["sessionId"], heard)
    if url != "about:blank":
        await session.send("Page.enable")
        await session.send("Page.navigate", {"url": url}, timeout=60)
        await asyncio.wait_for(loaded.wait(), 120)
    return session


async def worked(session: Session, work: str) -> tuple[str, float]:
    """The result of the work as text, and the milliseconds it took."""
    expression = f"""(async () => {{ const work = async () => {{ {work} }}; const begun = performance.now();
      const made = await work(); const took = performance.now() - begun; window.sink?.forget?.();
      return [JSON.stringify(made), took]; }})()"""
    answer = await session.send(
        "Runtime.evaluate",
        {"expression": expression, "awaitPromise": True, "returnByValue": True},
        timeout=_WORK_SECONDS,
    )
    if "exceptionDetails" in answer:
        thrown = answer["exceptionDetails"]
        return f"threw {thrown.get('exception', {}).get('description', thrown['text'])}", 0.0
    text, took = answer["result"]["value"]
    return str(text), float(took)


async def tried(connection: Connection, library: Library, repeats: int) -> Trial:
    """The same work on the three pages in turn."""
    names = ("plain", "probed", "kept")
    with serving(pages(library, LIBRARIES)) as base:
        sessions = [await opened(connection, f"{base}/{name}") for name in names]
        times: list[list[float]] = [[], [], []]
        texts: list[str] = ["", "", ""]
        for _ in range(repeats if library.timed else 1):
            for number, session in enumerate(sessions):
                texts[number], took = await worked(session, library.work)
                times[number].append(took)
    same = not texts[0].startswith("threw ") and texts[0] == texts[1] == texts[2]
    difference = "" if same else " / ".join(text[:200] for text in texts)
    # The best of each: the first rounds warm the engine up, and other programs only ever make it slower.
    plain, probed, kept = map(min, times)
    return Trial(library=library.name, same=same, difference=difference, plain=plain, probed=probed, kept=kept)


# Telling -----------------------------------------------------------------------------------------------------------


def table(checked: Checked, trials: Sequence[Trial]) -> str:
    lines = ["| library | scripts | rewritten | MB | MB/s | larger |", "|---|--:|--:|--:|--:|--:|"]
    for name in (*dict.fromkeys(script.library for script in checked.scripts), ""):
        scripts = [script for script in checked.scripts if name in ("", script.library)]
        size = sum(script.characters for script in scripts) / 1e6
        seconds = sum(script.seconds for script in scripts)
        if not scripts:
            continue
        larger = sum(script.growth * script.characters for script in scripts) / 1e6 / size
        done = sum(not script.problem for script in scripts)
        lines.append(
            f"| {name or 'all'} | {len(scripts)} | {done} | {size:.2f} | {size / seconds:.2f} | {larger:.1f} × |"
        )
    lines += [
        f"\nNot rewritten: {script.library} {script.file}: {script.problem}"
        for script in checked.scripts
        if script.problem
    ]
    lines.append(f"\nRefused by the browser although the original is not: {', '.join(checked.broken) or 'none'}.")
    lines += ["\n| library | same result | plain | with probes | once for each location |", "|---|---|--:|--:|--:|"]
    timed = {library.name for library in LIBRARIES if library.timed}
    for trial in trials:
        times = ["", "", ""]
        if trial.library in timed and trial.plain:
            times = [
                f"{trial.plain:.1f} ms",
                f"{trial.probed / trial.plain:.1f} ×",
                f"{trial.kept / trial.plain:.1f} ×",
            ]
        lines.append(
            f"| {trial.library} | {'yes' if trial.same else 'NO: ' + trial.difference} | {' | '.join(times)} |"
        )
    return "\n".join(lines) + "\n"


async def measure(arguments: argparse.Namespace) -> tuple[Checked, list[Trial]]:
    libraries = [library for library in LIBRARIES if not arguments.only or library.name in arguments.only]
    trials: list[Trial] = []
    async with launched() as connection:
        checked = Checked()
        if arguments.most:
            session = await opened(connection)
            await session.send("Runtime.enable")
            checked = await rewrite_all(libraries, session, arguments.most)
        for library in libraries:
            if library.work:
                trials.append(await tried(connection, library, arguments.repeats))
                print(f"{library.name}: {'same' if trials[-1].same else 'DIFFERENT'}", flush=True)
    return checked, trials


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.rewriting", description=__doc__)
    parser.add_argument(
        "--only", action="append", default=[], metavar="NAME", help="only this library; may be repeated"
    )
    parser.add_argument("--most", type=int, default=60, help="scripts of each library to rewrite (default: 60)")
    parser.add_argument("--repeats", type=int, default=15, help="how often the work is timed (default: 15)")
    parser.add_argument(
        "--out", type=Path, default=Path(".jostle/eval-rewriting"), metavar="DIR", help="where to write"
    )
    arguments = parser.parse_args()
    try:
        checked, trials = run(measure(arguments))
    except CouldNotRun as error:
        print(error, file=sys.stderr)
        return 3
    arguments.out.mkdir(parents=True, exist_ok=True)
    (arguments.out / "rewriting.md").write_text(table(checked, trials), "utf-8")
    figures = {"scripts": checked.scripts, "broken": checked.broken, "trials": trials}
    (arguments.out / "rewriting.json").write_text(json.dumps(msgspec.to_builtins(figures), indent=1), "utf-8")
    print(f"\n{table(checked, trials)}")
    return 0 if all(trial.same for trial in trials) and not checked.broken else 1


if __name__ == "__main__":
    sys.exit(main())
