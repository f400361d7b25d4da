// A running portal with demo data, as an attacker sees it: its address and its API description, no source code.
// Usage of each script: `node test/attacks/NAME.mjs http://127.0.0.1:3000 [FOLDER] [SECRET]`. Some need the folder to which
// the portal's mail server writes each e-mail as a file, or the portal's secret for received e-mails
// (MAIL_INBOUND_SECRET).

const base = process.argv[2] ?? 'http://127.0.0.1:3000'
const PASSWORD = 'Portal-demo-2026'
const failures = []
let passed = 0

/** Sends a request and returns its status, headers and body, parsed if it is JSON. */
export async function call(method, path, { token, body, headers = {}, raw } = {}) {
  const isJson = body !== undefined && raw === undefined
  const response = await fetch(new URL(path, base), {
    method,
    redirect: 'manual',
    headers: {
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(isJson ? { 'content-type': 'application/json' } : {}),
      ...headers,
    },
    ...(raw !== undefined ? { body: raw } : isJson ? { body: JSON.stringify(body) } : {}),
  })
  const text = await response.text()
  const isJsonAnswer = /[/+]json/.test(response.headers.get('content-type') ?? '')
  const parsed = isJsonAnswer && text ? JSON.parse(text) : text
  return { status: response.status, headers: Object.fromEntries(response.headers), body: parsed, text }
}

/** Signs a demo user in and returns functions that call the portal as this user. */
export async function signIn(username, extra = {}) {
  const { status, body } = await call('POST', '/api/security/login', {
    body: { username, password: PASSWORD, ...extra },
  })
  if (status !== 200) throw new Error(`${username} cannot sign in: ${status} ${JSON.stringify(body)}`)
  const { token } = body
  const as = (method) => (path, json, options) => call(method, path, { token, body: json, ...options })
  return { token, get: as('GET'), post: as('POST'), put: as('PUT'), patch: as('PATCH'), delete: as('DELETE') }
}

/** Runs one attack. It succeeds if `attempt` returns nothing; a text returned names the weakness. */
export async function attack(name, attempt) {
  let found
  try {
    found = await attempt()
  } catch (error) {
    found = String(error)
  }
  if (found) failures.push(`${name}: ${found}`)
  else passed++
  console.log(found ? `✗ ${name}: ${found}` : `✓ ${name}`)
}

/** Prints the total. The process ends with 1 if an attack found a weakness. */
export function finish() {
  console.log(`${passed} passed, ${failures.length} failed`)
  process.exit(failures.length ? 1 : 0)
}
