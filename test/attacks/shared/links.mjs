// Requests without sign-in, and checks, that the attacks on links share.
import http from 'node:http'

const base = new URL(process.argv[2] ?? 'http://127.0.0.1:3000')
/** Part of all names in this run, so that a script can be repeated. */
export const run = Date.now().toString(36)
let count = 0
let lastAddress = Math.floor(Math.random() * 200_000)

/** Returns a number that no other call returns in this run. */
export const newNumber = () => ++count

/** Returns an unused loopback address, because the portal limits attempts by address; undefined for another host. */
export function newAddress() {
  if (base.hostname !== '127.0.0.1') return undefined
  lastAddress++
  return `127.${100 + (lastAddress % 50)}.${(lastAddress >> 8) & 255}.${1 + (lastAddress % 254)}`
}

/** Sends a request without signing in, by default from a new address. The path is sent as it is. */
export function anonymous(method, path, body, { from = newAddress(), headers = {}, raw } = {}) {
  const data = raw ?? (body === undefined ? undefined : JSON.stringify(body))
  const ofBody = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(data ?? '') }
  const start = Date.now()
  return new Promise((resolve, reject) => {
    const request = http.request(
      {
        host: base.hostname,
        port: base.port,
        method,
        path,
        localAddress: from,
        // Each address has a connection of its own, which would stay open.
        agent: false,
        headers: { ...(data === undefined ? {} : ofBody), ...headers },
      },
      (response) => {
        const chunks = []
        response.on('data', (chunk) => chunks.push(chunk))
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString()
          const { statusCode: status, headers: received } = response
          resolve({ status, headers: received, body: parse(text), text, duration: Date.now() - start })
        })
      },
    )
    request.on('error', reject)
    request.end(data)
  })
}

function parse(text) {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

export const atOnce = (number, send) => Promise.all(Array.from({ length: number }, (_, index) => send(index)))
export const statuses = (responses) => responses.map(({ status }) => status).join(',')
export const tokenOf = (address) => address.split('/').pop()

/** Returns a drawing that no other call returns. */
export function newDrawing() {
  const number = newNumber()
  return {
    width: 300,
    height: 100,
    strokes: [
      [
        [0.1, 0.1 + (number % 1000) / 2000],
        [0.5, 0.9],
        [0.9, 0.2 + (number % 997) / 2000],
      ],
    ],
  }
}

/** Returns the body of a response. Throws if the status differs, because the attack would not reach its defence. */
export function expected(response, status, step) {
  if (response.status !== status)
    throw new Error(`${step}: ${response.status} instead of ${status}: ${response.text.slice(0, 300)}`)
  return response.body
}

const QUESTION = { kind: 'text', name: 'what', label: 'What?', required: true }

/** Creates a published form with a link. `at` is the API path of the link's page. */
export async function newForm(user) {
  const form = expected(
    await user.post('/api/safety/custom_forms', {
      title: `links form ${run} ${newNumber()}`,
      schema: { steps: [{ name: 's', title: 'S', groups: [{ fields: [QUESTION] }] }] },
    }),
    201,
    'form',
  )
  expected(await user.post(`${form['@id']}/publish`, {}), 200, 'publish')
  const { link } = expected(await user.post(`${form['@id']}/link`, {}), 200, 'form link')
  const at = `/api/safety/shared_forms/${tokenOf(link.address)}`
  const { version } = expected(await anonymous('GET', at), 200, 'form page').form
  const answer = (fields = {}) =>
    anonymous('POST', `${at}/answers`, {
      name: `links Guest ${run}`,
      company: 'links Ltd',
      version,
      answers: { what: 'x' },
      key: `links-${run}-${newNumber()}`,
      ...fields,
    })
  const count = async () => (await user.get(`/api/safety/custom_form_answers?form=${form.id}`)).body['hydra:totalItems']
  return { iri: form['@id'], at, answer, count }
}
