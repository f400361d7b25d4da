import { idAtEnd } from '#kernel/iri.ts'
import { PROVIDER } from '#kernel/roles.ts'
import type { RouteContext } from '#server/engine/route.ts'
import type { Context, Reader } from '#server/engine/types.ts'
import { addressOf, type DocumentKind, type DocumentRecord } from '../types/kind.ts'

type Values = Readonly<Record<string, unknown>>

/** By transaction: what is completed is judged by the very settings that are sealed with it. */
const held = new WeakMap<object, Map<string, Promise<Values>>>()

/** The settings that hold for a draft of this company as it is completed; a template has none. */
export function settingsHeld(
  c: Pick<Context, 'find' | 'clientId' | 'work'>,
  kind: DocumentKind,
  revision: object,
): Promise<Values> {
  if ('isTemplate' in revision && revision.isTemplate === true) return Promise.resolve({})
  const all = held.get(c.work) ?? new Map<string, Promise<Values>>()
  held.set(c.work, all)
  const key = `${kind.kind} ${c.clientId}`
  const found = all.get(key) ?? read(c, kind, c.clientId)
  all.set(key, found)
  return found
}

/**
 * The settings that a record is read by, where it has none of its own: of a draft those of its company; of a template, and of what was sealed
 * before there was a choice, those that the portal comes with.
 */
export async function settingsOf(
  { engine }: Pick<RouteContext, 'engine'>,
  kind: DocumentKind,
  record: DocumentRecord & Values,
): Promise<Values> {
  const all = Object.entries(kind.settings ?? {})
  const clientId = idAtEnd(addressOf(record.client)) ?? PROVIDER
  if (all.length && record.state === 'draft' && !record.isTemplate)
    return engine.readIn(clientId, 'the settings that a draft follows', (c) => read(c, kind, clientId))
  return Object.fromEntries(
    all.flatMap(([name, { inUse }]) => ((record[name] ?? null) === null ? [[name, inUse([], PROVIDER)]] : [])),
  )
}

const read = async (c: Pick<Reader, 'find'>, { settings = {} }: DocumentKind, clientId: number): Promise<Values> =>
  Object.fromEntries(
    await Promise.all(
      Object.entries(settings).map(
        async ([name, { of, inUse }]) => [name, inUse(await c.find(of(), {}), clientId)] as const,
      ),
    ),
  )
