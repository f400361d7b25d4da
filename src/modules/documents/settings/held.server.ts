import { idAtEnd } from '#kernel/iri.ts'
import { PROVIDER } from '#kernel/roles.ts'
import type { RouteContext } from '#server/engine/route.ts'
import type { Context, RecordReader } from '#server/engine/types.ts'
import { type DocumentKind, type DocumentRecord, uploadAddress } from '../types/kind.ts'

type Values = Readonly<Record<string, unknown>>

/**
 * Settings that apply to a company's draft on completion: the draft is validated by the settings that are sealed with
 * it. A template has none.
 */
export function settingsForCompletion(
  c: Pick<Context, 'find' | 'clientId' | 'once'>,
  kind: DocumentKind,
  revision: object,
): Promise<Values> {
  if ('isTemplate' in revision && revision.isTemplate === true) return Promise.resolve({})
  return c.once(`settings of ${kind.kind}`, () => read(c, kind, c.clientId))
}

/**
 * Fallback settings for reading a record without its own: the company's for a draft; the built-in ones for a template
 * and for documents sealed before settings existed.
 */
export async function settingsForReading(
  { engine }: Pick<RouteContext, 'engine'>,
  kind: DocumentKind,
  record: DocumentRecord & Values,
): Promise<Values> {
  const all = Object.entries(kind.settings ?? {})
  const clientId = idAtEnd(uploadAddress(record.client)) ?? PROVIDER
  if (all.length && record.state === 'draft' && !record.isTemplate)
    return engine.readIn(clientId, 'read the settings that apply to a draft', (c) => read(c, kind, clientId))
  return Object.fromEntries(
    all.flatMap(([name, { inUse }]) => ((record[name] ?? null) === null ? [[name, inUse([], PROVIDER)]] : [])),
  )
}

const read = async (
  c: Pick<RecordReader, 'find'>,
  { settings = {} }: DocumentKind,
  clientId: number,
): Promise<Values> =>
  Object.fromEntries(
    await Promise.all(
      Object.entries(settings).map(
        async ([name, { of, inUse }]) => [name, inUse(await c.find(of(), {}), clientId)] as const,
      ),
    ),
  )
