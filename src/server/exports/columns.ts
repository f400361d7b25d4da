import { type Field, isPersonField, labelOf, rolesAllowedToRead } from '#kernel/fields.ts'
import { idFromResourceIri } from '#kernel/iri.ts'
import type { Resource } from '#kernel/resource.ts'
import { type Actor, hasRole } from '#kernel/roles.ts'
import { htmlToText } from '#kernel/text/runs.ts'
import { fromUnixSeconds } from '#kernel/time.ts'
import type { RequestQuery } from '#server/data/filters.ts'
import type { ApiRecord } from '#server/data/json-select.ts'
import { toValueList } from '#server/data/values.ts'

/** Value of a cell. Dates and times are typed, because each file format writes them differently. */
export type CellValue = string | number | Temporal.PlainDate | Temporal.Instant | null

/** Function that returns the title of a related record; `undefined` if the reader may not see the record. */
export type RelatedTitleLookup = (target: Resource, id: number) => string | undefined
/** Function that returns a person's name by username. */
export type PersonNameLookup = (username: string) => string | undefined

export interface ExportColumn {
  readonly name: string
  /** Fields that may supply the column's value. The cell shows the first field that has a value. */
  readonly names: readonly string[]
  readonly label: string
  readonly field: Field
  readonly value: (record: ApiRecord, titleOf: RelatedTitleLookup, nameOf: PersonNameLookup) => CellValue
}

const ID: Field = { kind: 'integer', label: 'ID' }

/**
 * Returns the columns of an export: those in `columns=`, in that order, limited to columns that are in the list and
 * that the actor may see. If `columns=` is missing or names no such column, returns all columns. `phone;mobile` shows
 * the first of the two fields that has a value. Confidential fields are never included.
 */
export function exportColumnsOf(r: Resource, actor: Actor, query: RequestQuery): ExportColumn[] {
  const fields = new Map([['id', ID], ...Object.entries<Field>(r.fields).filter(([, f]) => isListed(f, actor))])
  const asked = toValueList(query.columns ?? query['columns[]'] ?? [])
    .flatMap((names) => names.split(','))
    .filter((asked, i, all) => asked.split(';').every((name) => fields.has(name)) && all.indexOf(asked) === i)
  const titles = titlesOf(query)
  return (asked.length ? asked : [...fields.keys()]).map((asked) => {
    const names = asked.split(';')
    const [first = ''] = names
    return columnOf(
      names.map((one) => [one, fields.get(one) as Field] as const),
      titles.get(asked) || labelOf(first, fields.get(first) as Field),
    )
  })
}

/** Returns the column of one field of a resource. The caller decides whether the reader may see it. */
export const exportColumn = (r: Resource, name: string, label?: string): ExportColumn => {
  const field = r.fields[name]
  if (!field) throw new TypeError(`${r.type} has no field "${name}"`)
  return columnOf([[name, field]], label ?? labelOf(name, field))
}

function columnOf(fields: readonly (readonly [name: string, field: Field])[], label: string): ExportColumn {
  const cells = fields.map(([name, field]) => [name, cellFor(field)] as const)
  const [[name, field]] = fields as [(typeof fields)[0]]
  const [[, first]] = cells as [(typeof cells)[0]]
  const isOfPerson = isPersonField(field)
  return {
    name,
    names: fields.map(([one]) => one),
    label,
    field,
    value: (record, titleOf, nameOf) => {
      const [saying, cell] = cells.find(([one]) => isSaid(record[one])) ?? [name, first]
      const sent = record[saying]
      return (isOfPerson && typeof sent === 'string' && nameOf(sent)) || cell(sent, titleOf)
    },
  }
}

const isSaid = (sent: unknown) => sent !== null && sent !== undefined && sent !== ''

const MAX_TITLE_LENGTH = 100

/**
 * Returns the column titles sent by the requesting screen in `titles=`, one for each column, separated by `|`. A column
 * without a title uses the field's own label.
 */
function titlesOf({ columns = [], titles = [] }: RequestQuery): ReadonlyMap<string, string> {
  const names = toValueList(columns).flatMap((of) => of.split(','))
  const called = toValueList(titles).flatMap((of) => of.split('|'))
  return new Map(names.map((name, n) => [name, (called[n] ?? '').trim().slice(0, MAX_TITLE_LENGTH)]))
}

const isListed = (f: Field, actor: Actor): boolean =>
  !f.writeOnly &&
  !f.omitFromLists &&
  !f.confidential &&
  f.kind !== 'rows' &&
  f.kind !== 'json' &&
  hasRole(actor, rolesAllowedToRead(f) ?? 'member')

type Cell = (sent: unknown, titleOf: RelatedTitleLookup) => CellValue

/** Returns the function that converts a field's API value into a cell. */
function cellFor(f: Field): Cell {
  if (f.kind === 'flag') return (sent) => (sent === true ? 'Yes' : 'No')
  const said = saidCellFor(f)
  return (sent, titleOf) => (isSaid(sent) ? said(sent, titleOf) : null)
}

function saidCellFor(f: Field): Cell {
  if (f.kind === 'link') return titleOfLink((f.target as () => Resource)(), f)
  const labels = f.options && new Map(f.options.map(({ value, label }) => [value as unknown, label]))
  const ofNumber = (sent: number): CellValue =>
    f.kind === 'unixSeconds' ? fromUnixSeconds(sent) : f.pence ? inPounds(sent) : (labels?.get(sent) ?? sent)
  const ofText = (sent: string): CellValue => {
    if (f.kind === 'date') return Temporal.PlainDate.from(sent)
    if (f.kind === 'instant') return Temporal.Instant.from(sent)
    return f.kind === 'richText' ? htmlToText(sent) : (labels?.get(sent) ?? sent)
  }
  return (sent) => {
    if (typeof sent === 'string') return ofText(sent)
    if (typeof sent === 'number') return ofNumber(sent)
    return Array.isArray(sent) ? sent.join(', ') : JSON.stringify(sent)
  }
}

/** Converts pence to pounds with six decimal places, because prices may contain fractions of a penny to four places. */
const inPounds = (pence: number) => Number((pence / 100).toFixed(6))

/** Returns the ID of the record that a relation refers to; `undefined` if it refers to none. */
export function findRelatedRecordId(f: Field, sent: unknown): number | undefined {
  if (typeof sent === 'object') return Number((sent as { id: unknown } | null)?.id) || undefined
  return idFromResourceIri((f.target as () => Resource)(), sent)
}

/**
 * Returns the function that formats a relation's cell: the related record's title, or its number if the reader may not
 * see the title.
 */
function titleOfLink(target: Resource, f: Field): Cell {
  const title = target.title ?? ''
  return (sent, titleOf) => {
    const embedded = (sent as Record<string, unknown>)[title]
    if (typeof embedded === 'string' && embedded) return embedded
    const id = findRelatedRecordId(f, sent)
    return (id !== undefined && titleOf(target, id)) || String(id)
  }
}
