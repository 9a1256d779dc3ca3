import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { chapter, difficulties, findTours, regions, reset, store, tours } from "./data.mjs";

process.env.NODE_ENV = "production";

const { values: options } = parseArgs({
  options: { port: { type: "string", default: "4300" }, fixed: { type: "boolean", default: false } },
});

const root = join(fileURLToPath(new URL(".", import.meta.url)), "dist", options.fixed ? "fixed" : "plain");
const { renderPage } = await import(join(root, "server.mjs"));

const TYPES = {
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".map": "application/json",
};

class Refusal extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

function findTour(id) {
  const tour = tours.find((each) => each.id === Number(id));
  if (!tour) throw new Refusal(404, "There is no such tour.");
  return tour;
}

const routes = [
  ["GET", /^\/api\/tours$/, ({ query }) => findTours(Object.fromEntries(query))],
  ["GET", /^\/api\/tours\/(\d+)\/(reviews|weather|route)$/, ({ match }) => chapter(findTour(match[1]), match[2])],
  [
    "PUT",
    /^\/api\/tours\/(\d+)\/favourite$/,
    ({ match, body }) => {
      const tour = findTour(match[1]);
      if (body.favourite) store.favourites.add(tour.id);
      else store.favourites.delete(tour.id);
      return { id: tour.id, favourite: store.favourites.has(tour.id) };
    },
  ],
  ["GET", /^\/api\/favourites$/, () => [...store.favourites].sort((a, b) => a - b)],
  ["GET", /^\/api\/bookings$/, () => store.bookings],
  [
    "POST",
    /^\/api\/bookings$/,
    ({ body }) => {
      const tour = findTour(body.tour);
      if (!tour.dates.includes(body.date)) throw new Refusal(422, "The tour does not run on that day.");
      const people = Number(body.people);
      if (!(people >= 1 && people <= 8)) throw new Refusal(422, "A group has one to eight people.");
      const booking = { id: store.bookings.length + 1, tour: tour.id, name: tour.name, date: body.date, people };
      store.bookings.push(booking);
      return booking;
    },
  ],
  ["GET", /^\/api\/plans$/, () => ({ plans: store.plans, archived: store.archived })],
  [
    "POST",
    /^\/api\/plans\/(\d+)\/archive$/,
    ({ match }) => {
      const plan = store.plans.find((each) => each.id === Number(match[1]));
      if (!plan) throw new Refusal(404, "There is no such plan.");
      store.plans = store.plans.filter((each) => each !== plan);
      store.archived.push(plan);
      return plan;
    },
  ],
  ["GET", /^\/api\/profile$/, () => store.profile],
  [
    "PUT",
    /^\/api\/profile$/,
    ({ body }) => {
      if (!body.name?.trim()) throw new Refusal(422, "Please give your name.");
      store.profile = { name: body.name, town: body.town, phone: body.phone, about: body.about };
      return store.profile;
    },
  ],
  [
    "POST",
    /^\/api\/questions$/,
    ({ body }) => {
      if (!body.email?.includes("@")) throw new Refusal(422, "Please give an address we can answer to.");
      if (!body.question?.trim()) throw new Refusal(422, "Please write a question.");
      store.questions += 1;
      return { number: store.questions };
    },
  ],
  ["POST", /^\/api\/usage$/, () => ({})],
  [
    "POST",
    /^\/__reset$/,
    () => {
      reset();
      return {};
    },
  ],
];

async function readBody(request) {
  let text = "";
  for await (const chunk of request.setEncoding("utf8")) text += chunk;
  try {
    return text ? JSON.parse(text) : {};
  } catch {
    throw new Refusal(400, "The request is not valid JSON.");
  }
}

function send(response, status, type, body) {
  response.writeHead(status, { "content-type": type, "cache-control": "no-store" });
  response.end(body);
}

async function serveAsset(response, path) {
  const name = path.slice("/assets/".length);
  const type = TYPES[extname(name)];
  if (!type || name.includes("/")) throw new Refusal(404, "Not found.");
  try {
    send(response, 200, type, await readFile(join(root, "assets", name)));
  } catch {
    throw new Refusal(404, "Not found.");
  }
}

function initialState(url) {
  return {
    path: url.pathname,
    regions,
    difficulties,
    tours,
    favourites: [...store.favourites],
    plans: store.plans,
    archived: store.archived,
    bookings: store.bookings,
  };
}

async function handle(request, response) {
  const url = new URL(request.url, "http://127.0.0.1");
  for (const [method, pattern, answer] of routes) {
    const match = request.method === method && pattern.exec(url.pathname);
    if (match) {
      const body = method === "GET" ? undefined : await readBody(request);
      const result = answer({ match, body, query: url.searchParams });
      send(response, 200, "application/json", JSON.stringify(result));
      return;
    }
  }
  if (request.method !== "GET" || url.pathname.startsWith("/api/")) throw new Refusal(404, "Not found.");
  if (url.pathname.startsWith("/assets/")) await serveAsset(response, url.pathname);
  else renderPage(response, initialState(url));
}

const server = createServer((request, response) => {
  handle(request, response).catch((error) => {
    const status = error instanceof Refusal ? error.status : 500;
    if (status === 500) console.error(error);
    send(response, status, "application/json", JSON.stringify({ error: error.message }));
  });
});

server.listen(Number(options.port), "127.0.0.1", () => {
  console.log(`Trailhead is at http://127.0.0.1:${server.address().port}/`);
});

for (const signal of ["SIGINT", "SIGTERM"]) {
  process.on(signal, () => {
    server.close();
    server.closeAllConnections();
  });
}
