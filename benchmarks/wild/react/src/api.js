async function request(method, path, { body, ...options } = {}) {
  const response = await fetch(path, {
    method,
    ...options,
    ...(body && { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.error);
  return answer;
}

export const api = {
  get: (path, options) => request("GET", path, options),
  post: (path, body, options) => request("POST", path, { body, ...options }),
  put: (path, body, options) => request("PUT", path, { body, ...options }),
};
