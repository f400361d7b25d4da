import type { Field } from '#kernel/fields.ts'
import type { Resource } from '#kernel/resource.ts'
import { type Actor, PROVIDER } from '#kernel/roles.ts'
import { LONDON } from '#kernel/time.ts'
import { isHiddenOwner, selectExpression, tenantColumn } from '#server/data/plan.ts'
import { sameTenant } from '#server/data/tenancy.ts'
import { Values } from '#server/data/values.ts'
import { type ExportColumn, isPersonField } from './columns.ts'
import { type DateStyle, escapeFormula, FORMULA_PATTERN } from './csv.ts'
import { personNamesSql } from './names.ts'
import { relatedTitlesSql } from './titles.ts'

/** Cells of an export as SQL over `t`: text for a spreadsheet, NULL for an empty cell. */
export interface SqlCells {
  readonly select: string
  readonly joins: string
  readonly values: Values
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
  // With a single column, COPY quotes `\.`, which ends the rows in older versions.
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
  readonly values = new Values()
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
    // Not in SQL: values that are text though their field is empty, and people, whose names are looked up by the first
    // field only.
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

  /** A value inside a JSON column, cast to the type of its kind. */
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
      : `to_char(${at} AT TIME ZONE '${LONDON}', 'DD/MM/YYYY HH24:MI')`
  }

  /**
   * Equivalent of `escapeFormula`; NULL for empty text. Most text begins with a letter or digit, which is checked
   * faster than the pattern.
   */
  private guarded(text: string): string {
    const first = `ascii(${text})`
    const asked = `CASE WHEN ${text} ~ ${this.formula} THEN '''' || ${text} ELSE ${text} END`
    return `CASE WHEN ${first} BETWEEN 65 AND 126 OR ${first} BETWEEN 48 AND 57 THEN ${text} WHEN ${text} <> '' THEN ${asked} END`
  }

  private labelled(f: Field, value: string, otherwise: string): string {
    const said = (f.options ?? []).filter((one) => one.value !== '' && String(one.value) !== escapeFormula(one.label))
    if (!said.length) return otherwise
    const cases = said.map((one) => {
      const label = one.label ? this.values.next(escapeFormula(one.label)) : 'NULL'
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
    // Relations from shared to tenant data are left out.
    const isAnybodys = this.r.tenant === 'shared' && target.tenant !== 'shared'
    if (f.inJson || f.sql || isAnybodys || (title && !isTextual)) return undefined
    const alias = `l${this.joins.length}`
    const same = sameTenant(this.r.tenant, target, alias, 't')
    let cell = number
    if (f.embed?.includes(title)) {
      // Lists withhold the title.
      if (!f.embedFor?.fields.includes(title)) {
        this.joins.push(` LEFT JOIN ${target.table} ${alias} ON ${alias}.id = ${column}${same}`)
        cell = `coalesce(${this.guarded(`${alias}.${target.columns[title]}`)}, ${number})`
      }
    } else {
      const titles = relatedTitlesSql(this.actor, target, this.values)
      if (titles) {
        this.joins.push(` LEFT JOIN (${titles}) ${alias} ON ${alias}.id = ${column}${same}`)
        cell = `coalesce(${this.guarded(`${alias}.title`)}, ${number})`
      }
    }
    return isHiddenOwner(this.r, f, this.actor) ? `CASE WHEN ${column} <> ${PROVIDER} THEN ${cell} END` : cell
  }

  private personCell(username: string): string {
    const [own, provider] = [`l${this.joins.length}`, `l${this.joins.length + 1}`]
    const { accounts, provided } = personNamesSql(this.actor, this.values)
    this.joins.push(
      ` LEFT JOIN (${accounts}) ${own} ON ${own}.username = ${username} AND ${own}.client_id = ${tenantColumn(this.r)}`,
      ` LEFT JOIN (${provided}) ${provider} ON ${provider}.username = ${username}`,
    )
    return this.guarded(`coalesce(nullif(coalesce(${own}.name, ${provider}.name), ''), ${username})`)
  }
}

/** Formats a number as JavaScript does, without trailing zeros. */
function numberCell(f: Field, value: string, labelled: (cell: string) => string): string {
  if (f.pence) return `trim_scale(round(${value}::numeric / 100, 6))::text`
  return labelled(f.kind === 'integer' ? `${value}::text` : `trim_scale(${value}::numeric)::text`)
}
