import { requestHeaders } from './headers.ts'
import { session } from './session.ts'

/** API requests that a page is expected to send, according to the route table. */
export interface PagePrefetch {
  /** Path of the page: `/crm/contact/view/:id?` */
  readonly path: string
  /**
   * URLs in the API. `:id` is filled in from the page's URL. A URL that begins with `?` is requested only if the page's
   * own URL has no query.
   */
  readonly asks: readonly string[]
}

/** Content of a successful response. */
interface EarlyAnswer {
  readonly body: unknown
  readonly etag: string | null
}

interface EarlyRequest {
  /**
   * Response, once it arrives; `undefined` after an error response or a lost connection. The screen then sends the
   * request again.
   */
  readonly coming: Promise<EarlyAnswer | undefined>
  /** Successful response, set once it has arrived. */
  there?: EarlyAnswer
  /** Token that the request was sent with. */
  readonly token: string | undefined
}

/** Milliseconds after which unused early responses are discarded. */
const ANSWER_LIFETIME_MS = 10_000
/** URL of the public information about the portal, which every page needs. */
const FACTS = '/api/portal/public'

const earlyRequests = new Map<string, EarlyRequest>()

async function read(address: string, token: string | undefined): Promise<EarlyAnswer | undefined> {
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
 * Requests the session, and then the page's data, while the page's script is still loading. Sends no requests if nobody
 * has signed in on this device.
 */
export async function prefetchPageData(
  expected: PagePrefetch | undefined,
  { pathname, search }: Location,
): Promise<void> {
  setTimeout(() => earlyRequests.clear(), ANSWER_LIFETIME_MS)
  ask(FACTS)
  if (!expected || !session.likely() || !(await session.open().catch(() => false))) return
  for (const address of resolvePrefetchUrls(expected, pathname, search)) ask(address)
}

/**
 * Returns the URLs that a page will request, filled in with values from the page's own URL. A URL is omitted if one of
 * its values is missing.
 */
export function resolvePrefetchUrls({ path, asks }: PagePrefetch, pathname: string, search: string): string[] {
  const given = pathname.split('/')
  const values = new Map(path.split('/').map((name, n) => [name.replace('?', ''), given[n]]))
  return asks
    .filter((address) => !address.startsWith('?') || search === '')
    .map((address) => address.replace(/^[?]/, '').replace(/:\w+/g, (name) => values.get(name) || name))
    .filter((address) => !address.includes('/:'))
}

/**
 * Removes the early request for a URL, so that it is used only once, and returns it. Returns undefined if there is
 * none, or if it was sent with another token; without a token, only the portal's public information is returned.
 */
function take(address: string): EarlyRequest | undefined {
  const found = earlyRequests.get(address)
  earlyRequests.delete(address)
  return found && (found.token === undefined ? address === FACTS : found.token === session.token()) ? found : undefined
}

export const takePrefetchedResponse = (address: string): Promise<EarlyAnswer | undefined> | undefined =>
  take(address)?.coming

/**
 * Returns the response to an early request if it has already arrived. A screen then has its data at the first render.
 */
export function takeCompletedPrefetch<T>(address: string): T | undefined {
  return earlyRequests.get(address)?.there && (take(address)?.there?.body as T)
}

/** Resolves once all early requests have finished. */
export const waitForPrefetches = async (): Promise<void> => {
  await Promise.all([...earlyRequests.values()].map(({ coming }) => coming))
}
