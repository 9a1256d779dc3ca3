import { createContext, useContext, useEffect, useMemo, useState } from "react";

const ROUTES = [
  ["tours", /^\/$/],
  ["tours", /^\/tours\/(\d+)$/],
  ["plans", /^\/plans$/],
  ["profile", /^\/profile$/],
  ["ask", /^\/ask$/],
];

export function matchRoute(path) {
  for (const [page, pattern] of ROUTES) {
    const match = pattern.exec(path);
    if (match) return { page, id: match[1] ? Number(match[1]) : null };
  }
  return null;
}

const RouterContext = createContext(null);

export function Router({ initialPath, children }) {
  const [path, setPath] = useState(initialPath);

  useEffect(() => {
    const onPopState = () => setPath(window.location.pathname);
    window.addEventListener("popstate", onPopState);
    return () => window.removeEventListener("popstate", onPopState);
  }, []);

  const router = useMemo(
    () => ({
      path,
      navigate(to) {
        if (to === path) return;
        window.history.pushState(null, "", to);
        setPath(to);
      },
    }),
    [path],
  );
  return <RouterContext value={router}>{children}</RouterContext>;
}

export const useRouter = () => useContext(RouterContext);

export function Link({ to, children, ...rest }) {
  const { navigate } = useRouter();
  const onClick = (event) => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    navigate(to);
  };
  return (
    <a href={to} onClick={onClick} {...rest}>
      {children}
    </a>
  );
}
