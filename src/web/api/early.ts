import { requestHeaders } from './headers.ts'
import { session } from './session.ts'

/** What the server says of the page that it sends: where it stands in the table of pages, and what it will ask. */
export interface Expected {
  /** `/crm/contact/view/:id?` */
  readonly path: string
  /** Addresses of the API; `:id` is as in the page's own. One that begins with `?` is asked only where the page's has no query. */
  readonly asks: readonly string[]
}

/** What was answered, as it was read; a refusal is none. */
interface Answer {
  readonly body: unknown
  readonly etag: string | null
}

interface EarlyRequest {
  /** Resolves to nothing where it was refused or did not come: then it is asked again by whoever wants it. */
  readonly coming: Promise<Answer | undefined>
  /** Once it is there. */
  there?: Answer
  /** Whose question it was. */
  readonly token: string | undefined
}

/** As long as an answer waits for the screen that wants it: after that it may be untrue. */
const ANSWER_LIFETIME_MS = 10_000
/** What every page wants to know, whoever asks. */
const FACTS = '/api/portal/public'

const earlyRequests = new Map<string, EarlyRequest>()

async function read(address: string, token: string | undefined): Promise<Answer | undefined> {
  const response = await fetch(address, { headers: requestHeaders('GET', token) })
  return response.ok ? { body: (await response.json()) as unknown, etag: response.headers.get('etag') } : undefined
}

function ask(address: string): void {
  const token = session.token()
  const coming = read(address, token).catch(() => undefined)
  const one: EarlyRequest = { coming, token }
  void coming.then((answer) => {
    if (answer) one.there = answer
  })
  earlyRequests.set(address, one)
}

/**
 * Asks for what a page will want to know while its script is still on its way: who is signed in, and then, for them, what is on the
 * page. Nothing is asked in the name of somebody who has not signed in here.
 */
export async function requestEarly(expected: Expected | undefined, { pathname, search }: Location): Promise<void> {
  setTimeout(() => earlyRequests.clear(), ANSWER_LIFETIME_MS)
  ask(FACTS)
  if (!expected || !session.likely() || !(await session.open().catch(() => false))) return
  for (const address of expectedAddresses(expected, pathname, search)) ask(address)
}

/** The addresses that a page will ask, as they are for this page's own; those with a part that it doesn't have are left out. */
export function expectedAddresses({ path, asks }: Expected, pathname: string, search: string): string[] {
  const given = pathname.split('/')
  const values = new Map(path.split('/').map((name, n) => [name.replace('?', ''), given[n]]))
  return asks
    .filter((address) => !address.startsWith('?') || search === '')
    .map((address) => address.replace(/^[?]/, '').replace(/:\w+/g, (name) => values.get(name) || name))
    .filter((address) => !address.includes('/:'))
}

/** What was asked early, for whoever is signed in now; once. */
function take(address: string): EarlyRequest | undefined {
  const found = earlyRequests.get(address)
  earlyRequests.delete(address)
  return found && (found.token === undefined ? address === FACTS : found.token === session.token()) ? found : undefined
}

/** The answer to what was asked early, as soon as it comes. */
export const takeEarly = (address: string): Promise<Answer | undefined> | undefined => take(address)?.coming

/** The same where it has come already: so a screen is drawn once, with what it shows. */
export function takeArrived<T>(address: string): T | undefined {
  return earlyRequests.get(address)?.there && (take(address)?.there?.body as T)
}

/** Resolves when all that was asked early is answered. */
export const allAnswered = async (): Promise<void> => {
  await Promise.all([...earlyRequests.values()].map(({ coming }) => coming))
}
