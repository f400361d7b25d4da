import { type EffectiveSetting, resolveSetting } from '#kernel/effective-setting.ts'
import { problem, violation } from '#kernel/errors.ts'
import { idFromAnyIri, parseId } from '#kernel/iri.ts'
import { packState } from '#kernel/packs.ts'
import { iriOf } from '#kernel/resource.ts'
import { hasRole, PROVIDER_CLIENT_ID } from '#kernel/roles.ts'
import { readUserNames } from '#modules/identity/people/accounts.server.ts'
import { behaviour } from '#server/engine/behaviour.ts'
import { feature } from '#server/engine/module.ts'
import type { Route, RouteContext } from '#server/engine/route.ts'
import { readAcrossClients } from '#server/engine/tenant.ts'
import type { Context, RecordReader } from '#server/engine/types.ts'
import { ANY_DOCUMENT_READER_ROLES, DOCUMENT_PACKS, TEMPLATE_MANAGER_ROLES } from '../rights.ts'
import type { DocumentKind } from '../types/kind.ts'
import { type DocumentRecord, uploadIri } from '../types/kind.ts'
import {
  formatDocumentNumber,
  NUMBER_PREFIX_PATTERN,
  numbering,
  RESERVED_NUMBER_PREFIXES,
  reviewPeriod,
} from './numbering.ts'
import { safetySettings } from './safety-settings.ts'

type Values = Readonly<Record<string, unknown>>

/**
 * Loads the settings that apply to a company's draft on completion. The draft is validated against the same settings
 * that are sealed with it. A template has no settings.
 */
export function loadCompletionSettings(
  c: Pick<Context, 'find' | 'clientId' | 'once'>,
  kind: DocumentKind,
  revision: object,
): Promise<Values> {
  if ('isTemplate' in revision && revision.isTemplate === true) return Promise.resolve({})
  return c.once(`settings of ${kind.kind}`, () => read(c, kind, c.clientId))
}

/**
 * Loads the fallback settings for a record that has none of its own: the company's settings for a draft, and the
 * built-in ones for a template or a document sealed before settings existed.
 */
export async function loadFallbackSettings(
  { engine }: Pick<RouteContext, 'engine'>,
  kind: DocumentKind,
  record: DocumentRecord & Values,
): Promise<Values> {
  const all = Object.entries(kind.settings ?? {})
  const clientId = idFromAnyIri(uploadIri(record.client)) ?? PROVIDER_CLIENT_ID
  if (all.length && record.state === 'draft' && !record.isTemplate)
    return engine.readIn(clientId, 'read the settings that apply to a draft', (c) => read(c, kind, clientId))
  return Object.fromEntries(
    all.flatMap(([name, { inUse }]) =>
      (record[name] ?? null) === null ? [[name, inUse([], PROVIDER_CLIENT_ID)]] : [],
    ),
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

type Look = Pick<Context, 'find' | 'clientId'>

/** Returns the effective setting: the company's, otherwise the provider's, otherwise the built-in one. */
function effectiveSetting<Row extends { readonly client: number | null }, T>(
  rows: readonly Row[],
  clientId: number,
  said: (row: Row) => T | null,
  builtIn: T,
): EffectiveSetting<T> {
  const of = (id: number) => rows.filter((r) => r.client === id).map(said)[0]
  return resolveSetting(of(clientId), clientId === PROVIDER_CLIENT_ID ? undefined : of(PROVIDER_CLIENT_ID), builtIn)
}

export async function reviewIntervalMonths(c: Look, { kind, reviewMonths }: DocumentKind): Promise<number> {
  return effectiveSetting(await c.find(reviewPeriod, { kind }), c.clientId, (r) => r.months, reviewMonths).value
}

/**
 * Allocates the next document number for a type in the company's format, within this transaction. If the transaction
 * rolls back, the number is released.
 */
export async function allocateDocumentNumber(
  { work, clientId }: Pick<Context, 'work' | 'clientId'>,
  kind: DocumentKind,
) {
  const [drawn] = await work.tx.rows<{ number: number; prefix: string | null; digits: number | null }>(
    'SELECT * FROM draw_document_number($1, $2)',
    [clientId, kind.kind],
  )
  return formatDocumentNumber(drawn?.prefix ?? kind.prefix, drawn?.digits ?? kind.numbers.digits, drawn?.number ?? 1)
}

/** Throws 422 if new numbers with this prefix could be the same as another document's number. */
async function assertNumberingUnique(
  c: Context,
  kinds: readonly DocumentKind[],
  kind: string,
  own: string | null,
): Promise<void> {
  const builtIn = kinds.find((k) => k.kind === kind)?.prefix ?? ''
  const isProvider = c.clientId === PROVIDER_CLIENT_ID
  // Locks numbering. No number is allocated during the check, and the provider and a company can't both pass the check
  // before either saves its change.
  await c.work.tx.rows('SELECT numbering_held(0, $1), numbering_held($2, true)', [isProvider, c.clientId])
  const rows = await c.find(numbering, {})
  const prefixOf = (k: DocumentKind) =>
    effectiveSetting(rows, c.clientId, (r) => (r.kind === k.kind ? r.prefix : null), k.prefix)
  const others = kinds.filter((k) => k.kind !== kind)
  const providers = rows.find((r) => r.client === PROVIDER_CLIENT_ID && r.kind === kind)?.prefix
  const prefix = own ?? (isProvider ? undefined : providers) ?? builtIn
  const refuse = (message: string) => problem.invalid([violation('prefix', message)])
  if (RESERVED_NUMBER_PREFIXES[prefix])
    throw refuse(`Prefix “${prefix}” is used for ${RESERVED_NUMBER_PREFIXES[prefix]}. Please choose another one.`)
  const same = others.find((k) => prefixOf(k).value === prefix)
  if (same) throw refuse(`Prefix “${prefix}” is already used for ${same.nouns}. Please choose another one.`)
  const given = await findGiven(c, prefix, kind)
  if (given)
    throw refuse(
      given.client === c.clientId
        ? `${given.number} is already the number of another document, and “${prefix}” would use it again. Please choose another prefix.`
        : `A company already uses “${prefix}” for other documents. Please choose another prefix.`,
    )
}

/**
 * Finds a used number with this prefix that the type's counter would reach or that belongs to another type. For the
 * provider, searches all companies that have no prefix of their own for the type, because the provider's setting is
 * their default. Also finds companies' own prefixes for other types.
 */
async function findGiven(c: Context, prefix: string, kind: string) {
  const look = `SELECT d.client_id AS client, d.number FROM document d
    LEFT JOIN sequence_counter s ON s.client_id = d.client_id AND s.name = d.kind AND s.year = 0
    WHERE d.number ~ $1 AND (d.kind <> $2 OR substring(d.number FROM '[0-9]+$')::numeric > coalesce(s.last, 0))`
  const pattern = `^${prefix}-[0-9]+$`
  type Given = { client: number; number: string }
  if (c.clientId !== PROVIDER_CLIENT_ID) {
    const [given] = await c.work.tx.rows<Given>(`${look} AND d.client_id = $3 LIMIT 1`, [pattern, kind, c.clientId])
    return given
  }
  return readAcrossClients(c, async (tx) => {
    const [given] = await tx.rows<Given>(
      `${look} AND NOT EXISTS (SELECT FROM numbering n
         WHERE n.client_id = d.client_id AND d.client_id <> 0 AND n.kind = $2 AND n.prefix IS NOT NULL)
       UNION ALL SELECT n.client_id, n.prefix FROM numbering n WHERE n.client_id <> 0 AND n.kind <> $2 AND n.prefix = $3
       ORDER BY 1 LIMIT 1`,
      [pattern, kind, prefix],
    )
    return given
  })
}

/**
 * Route that returns the effective numbering and review settings of each document type in a company: its own, the
 * provider's or the built-in ones.
 */
const documentTypeSettingsRoute = (kinds: readonly DocumentKind[]): Route => ({
  method: 'GET',
  path: `${safetySettings.url}/{id}/kinds`,
  title: 'Get the numbering and review settings for each document type in a company',
  allow: ANY_DOCUMENT_READER_ROLES,
  handle: async ({ engine, me, params }) => {
    const { id } = await engine.one(safetySettings, me, parseId(params.id) ?? -1)
    const [periods, numberings] = await engine.readIn(id, 'read numbering and review settings', async (c) => [
      await c.find(reviewPeriod, {}),
      await c.find(numbering, {}),
    ])
    const drawn = await engine.db.tx({ clientId: id }, (tx) =>
      tx.rows<{ name: string; last: number }>(
        'SELECT name, last FROM sequence_counter WHERE client_id = $1 AND year = 0',
        [id],
      ),
    )
    const own = [...periods, ...numberings].filter((r) => r.client === id)
    const names = await readUserNames(engine, id, [...new Set(own.map((r) => r.lastEditBy ?? ''))])
    const changed = (row: (typeof own)[number] | undefined) =>
      row ? { by: names.get(row.lastEditBy ?? '') ?? row.lastEditBy, at: row.updatedAt } : null
    return {
      kinds: kinds
        .filter((k) => packState(me, k.pack) !== 'none')
        .map((k) => {
          const of = <R extends { readonly kind: string }>(rows: readonly R[]) => rows.filter((r) => r.kind === k.kind)
          const [period, numbers] = [of(periods), of(numberings)]
          const [ownPeriod, ownNumbers] = [period.find((r) => r.client === id), numbers.find((r) => r.client === id)]
          const months = effectiveSetting(period, id, (r) => r.months, k.reviewMonths)
          const prefix = effectiveSetting(numbers, id, (r) => r.prefix, k.prefix)
          const digits = effectiveSetting(numbers, id, (r) => r.digits, k.numbers.digits)
          const nextNumber = (drawn.find((d) => d.name === k.kind)?.last ?? 0) + 1
          const providers = <R extends { readonly client: number | null }>(rows: readonly R[]) =>
            id === PROVIDER_CLIENT_ID ? undefined : rows.find((r) => r.client === PROVIDER_CLIENT_ID)
          return {
            kind: k.kind,
            name: k.name,
            review: {
              '@id': ownPeriod ? iriOf(reviewPeriod, ownPeriod.id) : null,
              id: ownPeriod?.id ?? null,
              months: months.value,
              from: months.from,
              own: ownPeriod?.months ?? null,
              otherwise: providers(period)?.months ?? k.reviewMonths,
              changed: changed(ownPeriod),
            },
            numbering: {
              '@id': ownNumbers ? iriOf(numbering, ownNumbers.id) : null,
              id: ownNumbers?.id ?? null,
              prefix: prefix.value,
              digits: digits.value,
              from: prefix.from,
              own: { prefix: ownNumbers?.prefix ?? null, digits: ownNumbers?.digits ?? null },
              otherwise: {
                prefix: providers(numbers)?.prefix ?? k.prefix,
                digits: providers(numbers)?.digits ?? k.numbers.digits,
              },
              nextNumber,
              next: formatDocumentNumber(prefix.value, digits.value, nextNumber),
              changed: changed(ownNumbers),
            },
          }
        }),
    }
  },
})

type Setting = typeof reviewPeriod | typeof numbering
interface Saving {
  readonly before: { readonly kind: string } | undefined
  readonly changes: { readonly kind?: string | null }
}

/**
 * Throws 422 if the document type is unknown, would be changed or already has a setting in the company. Throws 403 if a
 * user who is not a template manager would change the provider's setting.
 */
async function assertSetting(c: Context & Saving, r: Setting, kinds: readonly DocumentKind[]): Promise<void> {
  const { before, changes } = c
  if (c.clientId === PROVIDER_CLIENT_ID && !hasRole(c.actor, TEMPLATE_MANAGER_ROLES))
    throw problem.forbidden(
      'Only the provider’s template managers can change the settings that apply to all companies.',
    )
  const refuse = (message: string) => problem.invalid([violation('kind', message)])
  if (before) {
    if (changes.kind !== undefined && changes.kind !== before.kind)
      throw refuse('The document type of a setting can’t be changed')
    return
  }
  if (!kinds.some((k) => k.kind === changes.kind)) throw refuse('Please choose a document type')
  if (await c.exists(r as typeof reviewPeriod, { kind: changes.kind ?? '', client: c.clientId }))
    throw refuse('Your company already has this setting for these documents. Please change the existing setting')
}

/** Creates the rules for document settings that their declarations can't express. */
const settingBehaviours = (kinds: readonly DocumentKind[]) => [
  behaviour(reviewPeriod, {
    beforeSave: async (c) => {
      await assertSetting(c, reviewPeriod, kinds)
      return undefined
    },
  }),
  behaviour(numbering, {
    beforeSave: async (c) => {
      await assertSetting(c, numbering, kinds)
      const { prefix, digits } = c.changes
      if (c.before && prefix === undefined && digits === undefined) return undefined
      const written = c.values.prefix ? c.values.prefix.toUpperCase() : null
      // Skips invalid prefixes, because the field declaration rejects them.
      if (written !== null && !NUMBER_PREFIX_PATTERN.test(written)) return undefined
      await assertNumberingUnique(c, kinds, c.values.kind ?? '', written)
      return { prefix: written }
    },
  }),
]

export const documentSettings = (kinds: readonly DocumentKind[]) =>
  feature({
    pack: DOCUMENT_PACKS,
    resources: [safetySettings, reviewPeriod, numbering],
    behaviours: settingBehaviours(kinds),
    routes: [documentTypeSettingsRoute(kinds)],
  })
