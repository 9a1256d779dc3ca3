import { useActionState, useState } from "react";
import { api } from "./api.js";
import { fixed } from "./flags.js";
import { Button } from "./ui.jsx";

const NOTHING = { number: null, error: null, values: {} };

async function sendQuestion(form) {
  const values = Object.fromEntries(form);
  try {
    const { number } = await api.post("/api/questions", values);
    return { number, error: null, values };
  } catch (error) {
    return { number: null, error: error.message, values };
  }
}

function useHandledForm() {
  const [result, setResult] = useState(NOTHING);
  const [sending, setSending] = useState(false);
  const onSubmit = async (event) => {
    event.preventDefault();
    setSending(true);
    setResult(await sendQuestion(new FormData(event.currentTarget)));
    setSending(false);
  };
  return [result, { onSubmit }, sending];
}

function useActionForm() {
  const [result, action, sending] = useActionState(
    (previous, form) => (previous.number ? previous : sendQuestion(form)),
    NOTHING,
  );
  return [result, { action }, sending];
}

const useQuestionForm = fixed ? useActionForm : useHandledForm;

function Question({ onAgain }) {
  const [result, submission, sending] = useQuestionForm();

  if (result.number) {
    return (
      <div role="status">
        <p>
          Thank you! Your question has the number {result.number}. A guide will answer to {result.values.email}.
        </p>
        <Button onClick={onAgain}>Ask another question</Button>
      </div>
    );
  }
  return (
    <form className="form" aria-label="Ask a guide" {...submission}>
      <label className="field">
        Your e-mail address
        <input type="email" name="email" autoComplete="email" required defaultValue={result.values.email} />
      </label>
      <label className="field">
        Your question
        <textarea name="question" rows="5" required defaultValue={result.values.question} />
      </label>
      {result.error && <p role="alert">{result.error}</p>}
      <button type="submit" className="button primary" disabled={sending}>
        Send question
      </button>
    </form>
  );
}

export function AskPage() {
  const [round, setRound] = useState(1);
  return (
    <>
      <h1>Ask a guide</h1>
      <p>Equipment, weather, transport: our guides answer within a day.</p>
      <Question key={round} onAgain={() => setRound(round + 1)} />
    </>
  );
}
