import { createContext, useCallback, useContext, useRef, useState, useSyncExternalStore } from "react";

const never = () => () => {};

export function useHydrated() {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}

export function Button({ kind = "plain", disabled = false, type = "button", ...rest }) {
  const hydrated = useHydrated();
  return <button type={type} className={`button ${kind}`} disabled={disabled || !hydrated} {...rest} />;
}

export function Select({ label, value, onChange, options, any }) {
  const hydrated = useHydrated();
  return (
    <label className="field">
      {label}
      <select value={value} onChange={(event) => onChange(event.target.value)} disabled={!hydrated}>
        <option value="">{any}</option>
        {options.map((option) => (
          <option key={option} value={option}>
            {option}
          </option>
        ))}
      </select>
    </label>
  );
}

const ToastContext = createContext(() => {});

export const useToast = () => useContext(ToastContext);

const TOAST_TIME = 4000;

export function ToastProvider({ children }) {
  const [toasts, setToasts] = useState([]);
  const counter = useRef(0);

  const dismiss = useCallback((id) => setToasts((list) => list.filter((toast) => toast.id !== id)), []);
  const show = useCallback(
    (text) => {
      const id = ++counter.current;
      setToasts((list) => [...list, { id, text }]);
      setTimeout(() => dismiss(id), TOAST_TIME);
    },
    [dismiss],
  );

  return (
    <ToastContext value={show}>
      {children}
      <div className="toasts" role="status" aria-label="Messages">
        {toasts.map((toast) => (
          <p key={toast.id} className="toast">
            {toast.text}
          </p>
        ))}
      </div>
    </ToastContext>
  );
}
