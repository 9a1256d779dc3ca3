import { AskPage } from "./AskPage.jsx";
import { DataProvider, useData } from "./data.jsx";
import { PlansPage } from "./PlansPage.jsx";
import { ProfilePage } from "./ProfilePage.jsx";
import { Link, matchRoute, Router, useRouter } from "./router.jsx";
import { ToursPage } from "./ToursPage.jsx";
import { Button, ToastProvider } from "./ui.jsx";

const MENU = [
  ["/", "Tours", "tours"],
  ["/plans", "My plans", "plans"],
  ["/profile", "Profile", "profile"],
  ["/ask", "Ask a guide", "ask"],
];

const TITLES = { tours: "Tours", plans: "My plans", profile: "Profile", ask: "Ask a guide" };

function Header({ page }) {
  const { favourites } = useData();
  return (
    <header className="header">
      <p className="brand">Trailhead</p>
      <nav aria-label="Main">
        {MENU.map(([to, label, name]) => (
          <Link key={to} to={to} aria-current={name === page ? "page" : undefined}>
            {label}
          </Link>
        ))}
      </nav>
      <p className="count">Favourites: {favourites.size}</p>
    </header>
  );
}

function UndoBar() {
  const { undoable, undoArchive } = useData();
  if (!undoable) return null;
  return (
    <div className="undo" role="group" aria-live="polite" aria-label="Archived plan">
      <span>{undoable.name} was archived.</span>
      <Button kind="light" onClick={undoArchive}>
        Undo
      </Button>
    </div>
  );
}

function Page({ route }) {
  if (route?.page === "tours") return <ToursPage selected={route.id} />;
  if (route?.page === "plans") return <PlansPage />;
  if (route?.page === "profile") return <ProfilePage />;
  if (route?.page === "ask") return <AskPage />;
  return (
    <>
      <h1>Not found</h1>
      <p>
        This path leads nowhere. <Link to="/">Back to the tours</Link>
      </p>
    </>
  );
}

function Shell() {
  const { path } = useRouter();
  const route = matchRoute(path);
  return (
    <>
      <title>{`${TITLES[route?.page] ?? "Not found"} – Trailhead`}</title>
      <Header page={route?.page} />
      <main>
        <Page route={route} />
      </main>
      <UndoBar />
    </>
  );
}

export function App({ state }) {
  return (
    <Router initialPath={state.path}>
      <ToastProvider>
        <DataProvider state={state}>
          <Shell />
        </DataProvider>
      </ToastProvider>
    </Router>
  );
}
