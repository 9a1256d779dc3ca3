const REGIONS = ["Alps", "Black Forest", "Coast", "Highlands", "Lakes"];
const DIFFICULTIES = ["easy", "moderate", "hard"];

const NAMES = [
  "Eagle Ridge",
  "Mill Valley",
  "Lighthouse Path",
  "Stony Pass",
  "Heron Loop",
  "Glacier View",
  "Charcoal Trail",
  "Dune Crossing",
  "Moorland Way",
  "Three Lakes",
  "Marmot Traverse",
  "Fir Hollow",
  "Smugglers' Steps",
  "Red Deer Round",
  "Ferryman's Walk",
  "Chapel Saddle",
  "Cuckoo Climb",
  "Cliff Gardens",
  "Peat Cutters' Road",
  "Reed Boardwalk",
  "Needle Summit",
  "Spring Gorge",
  "Harbour Heights",
  "Drovers' Track",
];

const SURFACES = ["gravel road", "narrow footpath", "wooden steps", "open meadow", "rocky ground"];
const SKIES = ["sunny", "light cloud", "a few showers", "clear and windy", "fog in the morning"];
const VOICES = [
  ["Mira", "We met nobody until noon. The signs are easy to follow."],
  ["Jonas", "Bring enough water, there is only one spring on the way."],
  ["Amina", "The last kilometre is steeper than it looks on the map."],
  ["Pavel", "Our children (8 and 11) had no trouble at all."],
];

export const tours = NAMES.map((name, index) => {
  const difficulty = DIFFICULTIES[(index * 2 + Math.floor(index / 5)) % 3];
  const effort = DIFFICULTIES.indexOf(difficulty) + 1;
  const region = REGIONS[index % REGIONS.length];
  return {
    id: index + 1,
    name,
    region,
    difficulty,
    kilometres: 4 + effort * 3 + (index % 4),
    ascent: effort * 260 + (index % 7) * 35,
    hours: 1.5 + effort * 1.5 + (index % 2) * 0.5,
    dates: [3, 10, 17, 24].map((day) => `2026-0${5 + (index % 4)}-${String(day + (index % 4)).padStart(2, "0")}`),
    description: `${name} is one of the ${difficulty} tours of the ${region} region, guided in small groups of up to eight people.`,
  };
});

export const regions = REGIONS;
export const difficulties = DIFFICULTIES;

export function findTours({ difficulty, region }) {
  return tours.filter(
    (tour) => (!difficulty || tour.difficulty === difficulty) && (!region || tour.region === region),
  );
}

export function chapter(tour, name) {
  if (name === "reviews") {
    return VOICES.map(([author, text], index) => ({
      heading: `${author}, ${3 + ((tour.id + index) % 3)} of 5 stars`,
      text,
    }));
  }
  if (name === "weather") {
    return ["Friday", "Saturday", "Sunday"].map((day, index) => ({
      heading: day,
      text: `${9 + ((tour.id * 3 + index * 2) % 12)} °C, ${SKIES[(tour.id + index) % SKIES.length]}`,
    }));
  }
  return [0, 0.3, 0.7, 1].map((part, index) => ({
    heading: `${(tour.kilometres * part).toFixed(1)} km`,
    text: index === 3 ? "Back at the car park" : `On from here: ${SURFACES[(tour.id + index) % SURFACES.length]}`,
  }));
}

function initial() {
  return {
    favourites: new Set([3, 10]),
    plans: [1, 5, 9, 14].map((id) => ({ id, name: tours[id - 1].name, region: tours[id - 1].region })),
    archived: [],
    bookings: [],
    questions: 0,
    profile: { name: "Robin Weaver", town: "Freiburg", phone: "+49 761 555 0199", about: "Weekend hiker, no via ferrata." },
  };
}

export let store = initial();

export function reset() {
  store = initial();
}
