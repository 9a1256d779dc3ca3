import { renderToPipeableStream } from "react-dom/server";
import { Document } from "./Document.jsx";
import { matchRoute } from "./router.jsx";

const escaped = (state) => JSON.stringify(state).replaceAll("<", "\\u003c");

export function renderPage(response, state) {
  const { pipe } = renderToPipeableStream(<Document state={state} />, {
    bootstrapScriptContent: `window.__STATE__ = ${escaped(state)};`,
    bootstrapModules: ["/assets/client.js"],
    onShellReady() {
      response.writeHead(matchRoute(state.path) ? 200 : 404, {
        "content-type": "text/html; charset=utf-8",
        "cache-control": "no-store",
      });
      pipe(response);
    },
    onShellError(error) {
      console.error(error);
      response.writeHead(500, { "content-type": "text/plain" });
      response.end("Something went wrong.");
    },
  });
}
