import { requestHeaders } from './headers.ts'
import { session } from './session.ts'

/** What the server says of the page that it sends: where it stands in the table of pages, and what it will ask. */
export interface Expected {
  /** `/crm/contact/view/:id?` */
  readonly path: string
  /** Addresses of the API; `:id` is as in the page's own. One that begins with `?` is asked only where the page's has no query. */
  readonly asks: readonly string[]
}

interface Asked {
  readonly answer: Promise<Response>
  /** Whose question it was. */
  readonly token: string | undefined
}

/** As long as an answer waits for the screen that wants it: after that it may be untrue. */
const KEPT_MS = 10_000
/** What every page wants to know, whoever asks. */
const FACTS = '/api/portal/public'

const asked = new Map<string, Asked>()

function ask(address: string): void {
  const token = session.token()
  const answer = fetch(address, { headers: requestHeaders('GET', token) })
  // It is asked again by whoever wants it.
  answer.catch(() => undefined)
  asked.set(address, { answer, token })
}

/**
 * Asks for what a page will want to know while its script is still on its way: who is signed in, and then, for them, what is on the
 * page. Nothing is asked in the name of somebody who has not signed in here.
 */
export async function askEarly(expected: Expected | undefined, { pathname, search }: Location): Promise<void> {
  setTimeout(() => asked.clear(), KEPT_MS)
  ask(FACTS)
  if (!expected || !session.likely() || !(await session.open().catch(() => false))) return
  for (const address of addressesOf(expected, pathname, search)) ask(address)
}

/** The addresses that a page will ask, as they are for this page's own; those with a part that it doesn't have are left out. */
export function addressesOf({ path, asks }: Expected, pathname: string, search: string): string[] {
  const given = pathname.split('/')
  const values = new Map(path.split('/').map((name, n) => [name.replace('?', ''), given[n]]))
  return asks
    .filter((address) => !address.startsWith('?') || search === '')
    .map((address) => address.replace(/^[?]/, '').replace(/:\w+/g, (name) => values.get(name) || name))
    .filter((address) => !address.includes('/:'))
}

/** The answer to what was asked early, for whoever is signed in now; once. */
export function takeEarly(address: string): Promise<Response> | undefined {
  const found = asked.get(address)
  asked.delete(address)
  return found && (found.token === undefined ? address === FACTS : found.token === session.token())
    ? found.answer
    : undefined
}
