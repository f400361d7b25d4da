import { type QueryFunctionContext, queryOptions, useQueries } from '@tanstack/react-query'
import { type Collection, call, queryString } from './client.ts'
import { useMe } from './me.ts'

const NAMES = '/api/portal/names'
/** As many as the server looks up at once. */
const MAX_USERNAMES = 100
/** Names are changed seldom, and never whose a username is. */
const FRESH_MS = 10 * 60_000

interface Batch {
  readonly usernames: Set<string>
  readonly names: Promise<ReadonlyMap<string, string>>
}

/** What is being gathered, by client: names that a screen asks for in one moment are one request. */
const gathering = new Map<number, Batch>()

function batchOf(clientId: number): Batch {
  const open = gathering.get(clientId)
  if (open && open.usernames.size < MAX_USERNAMES) return open
  const usernames = new Set<string>()
  const names = new Promise((later) => setTimeout(later)).then(async () => {
    if (gathering.get(clientId) === batch) gathering.delete(clientId)
    const url = `${NAMES}${queryString({ of: [...usernames].join(','), client: clientId })}`
    const { 'hydra:member': found } = await call<Collection<{ username: string; name: string }>>('GET', url)
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
  queryOptions({ queryKey: [NAMES, clientId, username] as const, queryFn: readName, staleTime: FRESH_MS })

export type Username = string | null | undefined

/**
 * Tells what people are called by the usernames that a record carries: "…" until it is known, the username where nobody may say.
 * `clientId` is whose record it is; the reader's own company, unless said.
 */
export function useNames(usernames: readonly Username[], clientId?: number): (username: Username) => string {
  const me = useMe()
  const asked = [...new Set(usernames)].filter((username) => username !== null && username !== undefined)
  const found = useQueries({ queries: asked.map((username) => nameOptions(clientId ?? me.client.id, username)) })
  return (username) => {
    const one = found[asked.indexOf(username ?? '')]
    return one?.data ?? (one?.isPending ? '…' : (username ?? ''))
  }
}
