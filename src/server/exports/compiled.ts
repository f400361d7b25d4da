import { accessScopeFor } from '#kernel/can.ts'
import { type Field, isPersonField } from '#kernel/fields.ts'
import type { Resource } from '#kernel/resource.ts'
import { type Actor, hasRole, PROVIDER_CLIENT_ID } from '#kernel/roles.ts'
import { escapeCsvFormula, FORMULA_PATTERN } from '#kernel/text.ts'
import { formatIsoDateAsUk, formatUkDateTime, LONDON_TIME_ZONE } from '#kernel/time.ts'
import { buildCombinedAccessCondition } from '#server/data/access-sql.ts'
import type { ApiRecord } from '#server/data/json-select.ts'
import { buildRowsByKeysQuery, type RecordKey } from '#server/data/matching-rows.ts'
import {
  embeddedFieldSql,
  isHiddenProviderReference,
  sameTenantCondition,
  selectExpression,
  selectPlanForFields,
  tenantColumnSql,
} from '#server/data/plan.ts'
import { titlesOf } from '#server/data/titles.ts'
import { BoundValues, prepareSql } from '#server/data/values.ts'
import type { SqlConn } from '#server/db/db.ts'
import { createTurnGiver, mapInSlices } from '#server/slices.ts'
import type { CellValue, PersonNameLookup } from './columns.ts'
import { type ExportColumn, findRelatedRecordId, type RelatedTitleLookup } from './columns.ts'

/**
 * Statement that reads users' names. Clients may read the names of provider staff who have worked in their portal,
 * because the impersonation log shows these names anyway.
 */
const SELECT_USER_NAMES = prepareSql(
  `SELECT u.client_id, u.username, u.name FROM user_account u WHERE u.username = ANY($1::text[]) AND (u.client_id = ANY($2::int[])
     OR u.client_id = $3::int AND ($4 OR EXISTS (SELECT FROM visit v WHERE v.client_id = ANY($2::int[]) AND v.visitor_username = u.username)))`,
)

/**
 * True if the actor may read the names of all clients' users, not only the names that the actor's screens show. Only
 * provider staff may.
 */
const seesAllNames = (actor: Actor): boolean => actor.clientId === PROVIDER_CLIENT_ID && hasRole(actor, 'ROLE_STAFF')

/**
 * Reads the names for the usernames in these records, as far as the actor may read them. Returns a function that
 * returns the lookup for the records of a client.
 */
async function readPersonNames(
  conn: SqlConn,
  actor: Actor,
  columns: readonly ExportColumn[],
  records: readonly ApiRecord[],
  clients: readonly number[],
): Promise<(clientId: number) => PersonNameLookup> {
  const named = columns.filter(({ field }) => isPersonField(field))
  const usernames = new Set(
    named.flatMap(({ name }) => records.map((record) => record[name])).filter((one) => typeof one === 'string' && one),
  )
  if (!usernames.size) return () => () => undefined
  const wide = seesAllNames(actor)
  const tenants = wide ? [...new Set(clients)] : [actor.clientId]
  const rows = (await conn.arrays(SELECT_USER_NAMES, [[...usernames], tenants, PROVIDER_CLIENT_ID, wide])) as [
    number,
    string,
    string,
  ][]
  const names = new Map(rows.map(([clientId, username, name]) => [`${clientId} ${username}`, name]))
  return (clientId) => (username) =>
    names.get(`${clientId} ${username}`) ?? names.get(`${PROVIDER_CLIENT_ID} ${username}`)
}

/** Returns the SELECTs for people's names: client accounts, and provider staff. */
function personNamesSql(actor: Actor, v: BoundValues): { accounts: string; provided: string } {
  const provided = `SELECT u.username, u.name FROM user_account u WHERE u.client_id = ${PROVIDER_CLIENT_ID}`
  if (seesAllNames(actor)) return { accounts: 'SELECT u.client_id, u.username, u.name FROM user_account u', provided }
  const me = `${v.next(actor.clientId)}::int`
  return {
    accounts: `SELECT u.client_id, u.username, u.name FROM user_account u WHERE u.client_id = ${me}`,
    provided: `${provided} AND EXISTS (SELECT FROM visit v WHERE v.client_id = ${me} AND v.visitor_username = u.username)`,
  }
}

/** Reads the titles of related records, except those already sent with the relation. */
async function readRelatedTitles(
  conn: SqlConn,
  actor: Actor,
  columns: readonly ExportColumn[],
  records: readonly ApiRecord[],
  clients: readonly number[],
): Promise<RelatedTitleLookup> {
  const found = new Map<Resource, ReadonlyMap<number, string>>()
  const wanted = Map.groupBy(
    columns.filter(({ field }) => field.kind === 'link' && !hasTitle(field.embed, targetOf(field))),
    ({ field }) => targetOf(field),
  )
  for (const [target, named] of wanted) {
    const ids = named.flatMap(({ name, field }) =>
      records.flatMap((record) => findRelatedRecordId(field, record[name]) ?? []),
    )
    found.set(target, await titlesOf(conn, actor, target, ids, clients))
  }
  return (target, id) => found.get(target)?.get(id)
}

/** Returns the SELECT for all titles that the reader may see; `undefined` if there are none. */
function relatedTitlesSql(actor: Actor, target: Resource, v: BoundValues): string | undefined {
  const reach = buildCombinedAccessCondition(target, accessScopeFor(actor, 'read', target), actor, v)
  if (reach === undefined || !target.title) return undefined
  const owner = target.tenant === 'own' || target.tenant === 'own or template' ? ', t.client_id' : ''
  return `SELECT t.id${owner}, t.${target.columns[target.title]} AS title FROM ${target.table} t WHERE ${reach}`
}

const targetOf = (field: ExportColumn['field']) => (field.target as () => Resource)()
const hasTitle = (embed: readonly string[] | undefined, r: Resource) => !!r.title && !!embed?.includes(r.title)

/** Number of rows read per query, and fewer with formatted texts, because each may have 200,000 characters. */
const BATCH = 1000
const BATCH_WITH_FORMATTED_TEXTS = 100

/**
 * Yields the cells of the records with these keys, row by row. Reads one batch ahead, and therefore holds two batches
 * in memory at most. With `confidential`, the columns may be confidential: the caller must log that they were read.
 */
export async function* readExportCells(
  conn: SqlConn,
  r: Resource,
  actor: Actor,
  columns: readonly ExportColumn[],
  keys: readonly RecordKey[],
  options: { readonly confidential?: boolean } = {},
): AsyncGenerator<CellValue[][]> {
  const plan = selectPlanForFields(r, actor, new Set(columns.flatMap(({ names }) => names)), options)
  const batch = columns.some(({ field }) => field.kind === 'richText') ? BATCH_WITH_FORMATTED_TEXTS : BATCH
  const read = async (from: number) => {
    const q = buildRowsByKeysQuery(r, actor, keys.slice(from, from + batch), plan)
    return q ? conn.arrays(q.query, q.values) : []
  }
  let coming = read(0)
  for (let from = 0; from < keys.length; from += batch) {
    const rows = await coming
    const records = await mapInSlices(rows, plan.send)
    const clients = rows.map((row) => Number(row[1]))
    const titleOf = await readRelatedTitles(conn, actor, columns, records, clients)
    const namesOf = await readPersonNames(conn, actor, columns, records, clients)
    if (from + batch < keys.length) {
      coming = read(from + batch)
      // The caller may stop before this batch arrives, so its error must not remain unhandled.
      coming.catch(() => {})
    }
    yield await mapInSlices(records, (record, i) => {
      const nameOf = namesOf(clients[i] as number)
      return columns.map((column) => column.value(record, titleOf, nameOf))
    })
  }
}

/** Format of dates and times: `28/02/2026 09:30` in London time, or the format of the API. */
export type DateStyle = 'uk' | 'iso'

/** Byte order mark that makes Excel read the file as UTF-8. */
const BYTE_ORDER_MARK = '\u{FEFF}'

/** Number of characters after which CSV text is passed on. */
const MAX_CSV_PART = 64 * 1024

/** Yields the rows as CSV (RFC 4180), headings first. */
export async function* writeCsv(
  columns: readonly ExportColumn[],
  portions: AsyncIterable<readonly (readonly CellValue[])[]>,
  dates: DateStyle,
): AsyncGenerator<string> {
  const giveTurn = createTurnGiver()
  yield csvHeading(columns)
  for await (const rows of portions) {
    let text = ''
    for (const row of rows) {
      const turn = giveTurn()
      if (turn) await turn
      text += line(row.map((value) => textOf(value, dates)))
      if (text.length < MAX_CSV_PART) continue
      yield text
      text = ''
    }
    yield text
  }
}

export const csvHeading = (columns: readonly ExportColumn[]): string =>
  BYTE_ORDER_MARK + line(columns.map((c) => escapeCsvFormula(c.label)))

const line = (cells: readonly string[]) => `${cells.map(quoteCell).join(',')}\r\n`
/** Quotes a cell in the same way as PostgreSQL. Leading and trailing blanks are preserved. */
const quoteCell = (text: string) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

function textOf(value: CellValue, dates: DateStyle): string {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  if (typeof value === 'string') return escapeCsvFormula(value)
  if (value instanceof Temporal.PlainDate)
    return dates === 'iso' ? value.toString() : formatIsoDateAsUk(value.toString())
  return dates === 'iso' ? value.toString({ smallestUnit: 'second' }).replace('Z', '+00:00') : formatUkDateTime(value)
}

/** Cells of an export as SQL over `t`. Each is text for a spreadsheet, or NULL for an empty cell. */
export interface SqlCells {
  readonly select: string
  readonly joins: string
  readonly values: BoundValues
}

/**
 * Compiles each cell to SQL equivalent to `ExportColumn.value` and `writeCsv`; `undefined` if a column can't be written
 * in SQL.
 */
export function compileSqlCells(
  r: Resource,
  actor: Actor,
  columns: readonly ExportColumn[],
  dates: DateStyle,
): SqlCells | undefined {
  // A single column is not compiled, because COPY quotes the value `\.` (the end of the data for older PostgreSQL
  // versions) and `quoteCell` does not.
  if (columns.length < 2) return undefined
  const compiler = new Compiler(r, actor, dates)
  const cells = columns.map((column) => compiler.cell(column))
  if (!areAll(cells)) return undefined
  return { select: cells.join(', '), joins: compiler.joins.join(''), values: compiler.values }
}

const areAll = (cells: (string | undefined)[]): cells is string[] => !cells.includes(undefined)

const UK_DAY = "'DD/MM/YYYY'"
const ISO_DAY = "'YYYY-MM-DD'"

/** Kinds whose cells contain the stored text. */
const TEXTS = new Set<Field['kind']>(['text', 'longText', 'email', 'phone', 'choice'])

class Compiler {
  readonly values = new BoundValues()
  readonly joins: string[] = []
  private readonly r: Resource
  private readonly actor: Actor
  private readonly dates: DateStyle
  private readonly formula: string

  constructor(r: Resource, actor: Actor, dates: DateStyle) {
    this.r = r
    this.actor = actor
    this.dates = dates
    this.formula = this.values.next(FORMULA_PATTERN.source)
  }

  cell({ names, field }: ExportColumn): string | undefined {
    const [name = ''] = names
    if (names.length === 1) return this.fieldCell(name, field)
    const fields = names.map((one) => (one === 'id' ? field : this.r.fields[one]) as Field)
    // A column with several fields is not compiled in two cases: the cell of one field has text even if the value is
    // empty, or one field is a person. In the second case, only the first field's username would be looked up.
    if (fields.some((f) => f.kind === 'flag' || f.kind === 'strings' || isPersonField(f))) return undefined
    const cells = names.map((one, n) => this.fieldCell(one, fields[n] as Field))
    return areAll(cells) ? `coalesce(${cells.join(', ')})` : undefined
  }

  private fieldCell(name: string, f: Field): string | undefined {
    if (name === 'id') return 't.id::text'
    const value = f.inJson ? this.within(name, f) : selectExpression(this.r, f, name)
    if (value === undefined) return undefined
    if (TEXTS.has(f.kind))
      return isPersonField(f) ? this.personCell(value) : this.labelled(f, value, this.guarded(value))
    switch (f.kind) {
      case 'flag':
        return `CASE WHEN ${value} THEN 'Yes' ELSE 'No' END`
      case 'integer':
      case 'decimal':
        return numberCell(f, value, (cell) => this.labelled(f, value, cell))
      case 'date':
        return `to_char(${value}, ${this.dates === 'iso' ? ISO_DAY : UK_DAY})`
      case 'instant':
        return this.momentCell(value)
      case 'unixSeconds':
        return this.momentCell(f.sql ? `to_timestamp(${value})` : `t.${this.r.columns[name]}`)
      case 'strings':
        return this.guarded(`array_to_string(${value}, ', ', '')`)
      case 'link':
        return this.linkCell(name, f)
      default:
        return undefined
    }
  }

  /**
   * Returns SQL for a value inside a JSON column, cast to the type for its kind; `undefined` for a kind that can't be
   * compiled.
   */
  private within(name: string, f: Field): string | undefined {
    const text = `(t.${f.inJson}->>'${name}')`
    if (TEXTS.has(f.kind)) return text
    if (f.kind === 'date') return `nullif(${text}, '')::date`
    if (f.kind === 'flag') return `(${text} = 'true')`
    return f.kind === 'integer' || f.kind === 'decimal' ? `${text}::numeric` : undefined
  }

  private momentCell(at: string): string {
    return this.dates === 'iso'
      ? `to_char(${at} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"+00:00"')`
      : `to_char(${at} AT TIME ZONE '${LONDON_TIME_ZONE}', 'DD/MM/YYYY HH24:MI')`
  }

  /**
   * Returns the SQL equivalent of `escapeCsvFormula`, with NULL for empty text. The first character is checked before the
   * pattern, because this is faster and most text begins with a letter or digit.
   */
  private guarded(text: string): string {
    const first = `ascii(${text})`
    const asked = `CASE WHEN ${text} ~ ${this.formula} THEN '''' || ${text} ELSE ${text} END`
    return `CASE WHEN ${first} BETWEEN 65 AND 126 OR ${first} BETWEEN 48 AND 57 THEN ${text} WHEN ${text} <> '' THEN ${asked} END`
  }

  private labelled(f: Field, value: string, otherwise: string): string {
    const said = (f.options ?? []).filter(
      (one) => one.value !== '' && String(one.value) !== escapeCsvFormula(one.label),
    )
    if (!said.length) return otherwise
    const cases = said.map((one) => {
      const label = one.label ? this.values.next(escapeCsvFormula(one.label)) : 'NULL'
      return `WHEN ${this.values.next(one.value)} THEN ${label}`
    })
    return `CASE ${value} ${cases.join(' ')} ELSE ${otherwise} END`
  }

  private linkCell(name: string, f: Field): string | undefined {
    const target = (f.target as () => Resource)()
    const title = target.title ?? ''
    const column = `t.${this.r.columns[name]}`
    const number = `${column}::text`
    const isTextual = TEXTS.has((target.fields[title] as Field | undefined)?.kind ?? 'json')
    // Relations from shared data to tenant data are not compiled.
    const isAnybodys = this.r.tenant === 'shared' && target.tenant !== 'shared'
    if (f.inJson || f.sql || isAnybodys || (title && !isTextual)) return undefined
    const alias = `l${this.joins.length}`
    const same = sameTenantCondition(this.r.tenant, target, alias, 't')
    let cell = number
    if (f.embed?.includes(title)) {
      // Joins the title, unless the list withholds it.
      if (!f.embedFor?.fields.includes(title)) {
        this.joins.push(` LEFT JOIN ${target.table} ${alias} ON ${alias}.id = ${column}${same}`)
        cell = `coalesce(${this.guarded(embeddedFieldSql(this.r, f, title, alias))}, ${number})`
      }
    } else {
      const titles = relatedTitlesSql(this.actor, target, this.values)
      if (titles) {
        this.joins.push(` LEFT JOIN (${titles}) ${alias} ON ${alias}.id = ${column}${same}`)
        cell = `coalesce(${this.guarded(`${alias}.title`)}, ${number})`
      }
      if (f.hideUnreadable) cell = titles ? `CASE WHEN ${alias}.id IS NOT NULL THEN ${cell} END` : 'NULL'
    }
    return isHiddenProviderReference(this.r, f, this.actor)
      ? `CASE WHEN ${column} <> ${PROVIDER_CLIENT_ID} THEN ${cell} END`
      : cell
  }

  private personCell(username: string): string {
    const [own, provider] = [`l${this.joins.length}`, `l${this.joins.length + 1}`]
    const { accounts, provided } = personNamesSql(this.actor, this.values)
    this.joins.push(
      ` LEFT JOIN (${accounts}) ${own} ON ${own}.username = ${username} AND ${username} <> '' AND ${own}.client_id = ${tenantColumnSql(this.r)}`,
      ` LEFT JOIN (${provided}) ${provider} ON ${provider}.username = ${username} AND ${username} <> ''`,
    )
    return this.guarded(`coalesce(nullif(coalesce(${own}.name, ${provider}.name), ''), ${username})`)
  }
}

/** Returns SQL that formats a number as JavaScript does, without trailing zeros. */
function numberCell(f: Field, value: string, labelled: (cell: string) => string): string {
  if (f.pence) return `trim_scale(round(${value}::numeric / 100, 6))::text`
  return labelled(f.kind === 'integer' ? `${value}::text` : `trim_scale(${value}::numeric)::text`)
}
