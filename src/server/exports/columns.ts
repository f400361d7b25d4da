import { type Field, labelOf, readRoles } from '#kernel/fields.ts'
import { idByIri } from '#kernel/iri.ts'
import type { Resource } from '#kernel/resource.ts'
import { type Actor, hasRole } from '#kernel/roles.ts'
import { wordsOfHtml } from '#kernel/text/rich-text.ts'
import { fromUnix } from '#kernel/time.ts'
import type { Query } from '#server/data/filters.ts'
import type { ApiRecord } from '#server/data/json-select.ts'
import { list } from '#server/data/query-values.ts'

/** What stands in a cell: days and moments are told apart from text, so that each kind of file writes them its own way. */
export type Value = string | number | Temporal.PlainDate | Temporal.Instant | null

/** What the records that relations lead to are called; `undefined` for one that the reader may not see. */
export type TitleOf = (target: Resource, id: number) => string | undefined
/** What people are called, by their usernames. */
export type NameOf = (username: string) => string | undefined

/** One column of an export. */
export interface ExportColumn {
  readonly name: string
  /** Those of its fields that a cell may be of: the first that says something. */
  readonly names: readonly string[]
  readonly label: string
  readonly field: Field
  readonly value: (record: ApiRecord, titleOf: TitleOf, nameOf: NameOf) => Value
}

const ID: Field = { kind: 'integer', label: 'ID' }

/**
 * The columns of an export: those that `columns=` names, in its order, as far as the list has them and the actor sees them;
 * without it, or where it names none, all. Of `phone;mobile` a cell has the first that says something. What is confidential is never
 * among them.
 */
export function columnsOf(r: Resource, actor: Actor, query: Query): ExportColumn[] {
  const fields = new Map([['id', ID], ...Object.entries<Field>(r.fields).filter(([, f]) => isListed(f, actor))])
  const asked = list(query.columns ?? query['columns[]'] ?? [])
    .flatMap((names) => names.split(','))
    .filter((asked, i, all) => asked.split(';').every((name) => fields.has(name)) && all.indexOf(asked) === i)
  const titles = titlesOf(query)
  return (asked.length ? asked : [...fields.keys()]).map((asked) => {
    const names = asked.split(';')
    const name = names[0] as string
    const field = fields.get(name) as Field
    const cells = names.map((one) => [one, cellFor(fields.get(one) as Field)] as const)
    const [[, first]] = cells as [(typeof cells)[0]]
    const isOfPerson = isPerson(field)
    return {
      name,
      names,
      label: titles.get(asked) || labelOf(name, field),
      field,
      value: (record, titleOf, nameOf) => {
        const [saying, cell] = cells.find(([one]) => isSaid(record[one])) ?? [name, first]
        const sent = record[saying]
        return (isOfPerson && typeof sent === 'string' && nameOf(sent)) || cell(sent, titleOf)
      },
    }
  })
}

const isSaid = (sent: unknown) => sent !== null && sent !== undefined && sent !== ''

const MOST_TITLE = 100

/** What `columns=` are called on the screen that asks: `titles=`, one for each, `|` between them; none or an empty one leaves the field its own label. */
function titlesOf({ columns = [], titles = [] }: Query): ReadonlyMap<string, string> {
  const names = list(columns).flatMap((of) => of.split(','))
  const called = list(titles).flatMap((of) => of.split('|'))
  return new Map(names.map((name, n) => [name, (called[n] ?? '').trim().slice(0, MOST_TITLE)]))
}

/** Does it hold a username? */
export const isPerson = (f: Field): boolean => f.person === true || f.stamp === 'author' || f.stamp === 'editor'

const isListed = (f: Field, actor: Actor): boolean =>
  !f.writeOnly &&
  !f.omitFromLists &&
  !f.confidential &&
  f.kind !== 'rows' &&
  f.kind !== 'json' &&
  hasRole(actor, readRoles(f) ?? 'member')

type Cell = (sent: unknown, titleOf: TitleOf) => Value

/** How a value of this field, as it is sent, stands in a cell. */
function cellFor(f: Field): Cell {
  if (f.kind === 'flag') return (sent) => (sent === true ? 'Yes' : 'No')
  const said = saidCellFor(f)
  return (sent, titleOf) => (isSaid(sent) ? said(sent, titleOf) : null)
}

function saidCellFor(f: Field): Cell {
  if (f.kind === 'link') return titleOfLink((f.target as () => Resource)(), f)
  const labels = f.options && new Map(f.options.map(({ value, label }) => [value as unknown, label]))
  const ofNumber = (sent: number): Value =>
    f.kind === 'unixSeconds' ? fromUnix(sent) : f.pence ? inPounds(sent) : (labels?.get(sent) ?? sent)
  const ofText = (sent: string): Value => {
    if (f.kind === 'date') return Temporal.PlainDate.from(sent)
    if (f.kind === 'instant') return Temporal.Instant.from(sent)
    return f.kind === 'richText' ? wordsOfHtml(sent) : (labels?.get(sent) ?? sent)
  }
  return (sent) => {
    if (typeof sent === 'string') return ofText(sent)
    if (typeof sent === 'number') return ofNumber(sent)
    return Array.isArray(sent) ? sent.join(', ') : JSON.stringify(sent)
  }
}

/** Prices may have parts of a penny: to four places. */
const inPounds = (pence: number) => Number((pence / 100).toFixed(6))

/** The relation that a field holds, as the id of its record. */
export function idOfLink(f: Field, sent: unknown): number | undefined {
  if (typeof sent === 'object') return Number((sent as { id: unknown } | null)?.id) || undefined
  return idByIri((f.target as () => Resource)(), sent)
}

/** The record's title; where the reader may not see it, its number. */
function titleOfLink(target: Resource, f: Field): Cell {
  const title = target.title ?? ''
  return (sent, titleOf) => {
    const embedded = (sent as Record<string, unknown>)[title]
    if (typeof embedded === 'string' && embedded) return embedded
    const id = idOfLink(f, sent)
    return (id !== undefined && titleOf(target, id)) || String(id)
  }
}
