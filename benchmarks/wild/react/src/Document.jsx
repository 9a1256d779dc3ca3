import { App } from "./App.jsx";

export function Document({ state }) {
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href="/assets/styles.css" />
      </head>
      <body>
        <App state={state} />
      </body>
    </html>
  );
}
