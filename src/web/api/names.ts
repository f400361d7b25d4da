import { type QueryFunctionContext, queryOptions, useQueries } from '@tanstack/react-query'
import { type Collection, callApi, queryString } from './client.ts'
import { useMe } from './me.ts'

const NAMES_URL = '/api/portal/names'
/** Maximum number of usernames that the server accepts in one request. */
const MAX_USERNAMES = 100
/**
 * Milliseconds for which a fetched name is used without fetching it again. Names seldom change, and a username is never
 * reassigned to another person.
 */
const FRESH_MS = 10 * 60_000

interface Batch {
  readonly usernames: Set<string>
  readonly names: Promise<ReadonlyMap<string, string>>
}

/** Batches by client. Names that a screen needs at the same time are fetched in one request. */
const gathering = new Map<number, Batch>()

function batchOf(clientId: number): Batch {
  const open = gathering.get(clientId)
  if (open && open.usernames.size < MAX_USERNAMES) return open
  const usernames = new Set<string>()
  const names = new Promise((later) => setTimeout(later)).then(async () => {
    if (gathering.get(clientId) === batch) gathering.delete(clientId)
    const url = `${NAMES_URL}${queryString({ of: [...usernames].join(','), client: clientId })}`
    const { 'hydra:member': found } = await callApi<Collection<{ username: string; name: string }>>('GET', url)
    return new Map(found.map((p) => [p.username, p.name]))
  })
  const batch = { usernames, names }
  gathering.set(clientId, batch)
  return batch
}

async function readName({ queryKey: [, clientId, username] }: QueryFunctionContext<readonly [string, number, string]>) {
  const batch = batchOf(clientId)
  batch.usernames.add(username)
  return (await batch.names).get(username) ?? username
}

const nameOptions = (clientId: number, username: string) =>
  queryOptions({ queryKey: [NAMES_URL, clientId, username] as const, queryFn: readName, staleTime: FRESH_MS })

/** Actors that are not people, as records name them. */
const ACTORS: Readonly<Record<string, string>> = { system: 'the portal', customer: 'the customer' }

export type OptionalUsername = string | null | undefined

/**
 * Returns a function that finds the name for a username: "…" while loading, or the username itself if the name is not
 * visible to the reader. The portal and customers are named as such. `clientId` is the record's client. The default is the reader's own client.
 */
export function usePersonNames(
  usernames: readonly OptionalUsername[],
  clientId?: number,
): (username: OptionalUsername) => string {
  const me = useMe()
  const asked = [...new Set(usernames)].filter((username) => username !== null && username !== undefined)
  const found = useQueries({ queries: asked.map((username) => nameOptions(clientId ?? me.client.id, username)) })
  return (username) => {
    const one = found[asked.indexOf(username ?? '')]
    const name = one?.data ?? (one?.isPending ? '…' : (username ?? ''))
    return name === username ? (ACTORS[name] ?? name) : name
  }
}
