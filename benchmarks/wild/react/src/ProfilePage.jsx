import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { api } from "./api.js";
import { fixed } from "./flags.js";
import { Button, useToast } from "./ui.jsx";

const EMPTY = { name: "", town: "", phone: "", about: "" };

const filled = (fields) => Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ""));

export function ProfilePage() {
  const toast = useToast();
  const form = useRef(null);
  const [fields, setFields] = useState(EMPTY);
  const [loaded, setLoaded] = useState(false);
  const [saving, setSaving] = useState(false);

  useLayoutEffect(() => {
    if (fixed) setFields(Object.fromEntries(new FormData(form.current)));
  }, []);

  useEffect(() => {
    const controller = new AbortController();
    api
      .get("/api/profile", { signal: controller.signal })
      .then((profile) => {
        setFields(fixed ? (typed) => ({ ...profile, ...filled(typed) }) : profile);
        setLoaded(true);
      })
      .catch((error) => {
        if (error.name !== "AbortError") toast("Your profile could not be loaded.");
      });
    return () => controller.abort();
  }, [toast]);

  const bind = (name) => ({
    name,
    value: fields[name],
    onChange: (event) => setFields((current) => ({ ...current, [name]: event.target.value })),
  });

  async function save(event) {
    event.preventDefault();
    setSaving(true);
    try {
      await api.put("/api/profile", fields);
      toast("Your profile is saved.");
    } catch (error) {
      toast(error.message);
    }
    setSaving(false);
  }

  return (
    <>
      <h1>Profile</h1>
      <form ref={form} className="form" onSubmit={save} aria-label="Profile">
        <label className="field">
          Name
          <input {...bind("name")} autoComplete="name" required />
        </label>
        <label className="field">
          Home town
          <input {...bind("town")} />
        </label>
        <label className="field">
          Phone for emergencies
          <input type="tel" {...bind("phone")} autoComplete="tel" />
        </label>
        <label className="field">
          About you
          <textarea rows="3" {...bind("about")} />
        </label>
        <Button type="submit" kind="primary" disabled={!loaded || saving}>
          Save profile
        </Button>
      </form>
    </>
  );
}
