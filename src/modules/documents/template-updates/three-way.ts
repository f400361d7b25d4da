import { isRow, objectOf, rowsOf } from '#kernel/forms/rows.ts'
import type { Values } from '#kernel/forms/visible.ts'
import type { Called } from '../types/compared.ts'
import { planLines } from './lines.ts'
import { mergeTexts, stretchesOf } from './paragraphs.ts'
import { saysSame } from './says-same.ts'

/** Something that a template says otherwise than when it was copied, and that the copy does not say yet. */
export interface Improvement {
  /** Stays as long as neither of the template's revisions is another: `controls#Noise`, `intent¶2`. */
  readonly key: string
  /** The field of the document. */
  readonly field: string
  /** The copy has changed the same: taking it puts the template's words in place of its own. */
  readonly own: boolean
  /** The part of the field that it is about: as the copy has it, and as it would be. */
  readonly before: unknown
  readonly after: unknown
}

/** What a comparison has to know of the fields of a kind. */
export interface Compares {
  /** The names of the fields that are compared. */
  readonly fields: readonly string[]
  /** How the rows of a field are told apart, where their own names don't say it. */
  readonly called: (field: string) => Called
  /** Is this value of a row of the field one that somebody has written? */
  readonly says: (field: string, name: string) => boolean
}

/** The three that are compared: what was copied, what its template says now, and the copy. */
export interface Three {
  readonly base: Values
  readonly theirs: Values
  readonly mine: Values
}

/** How a template has been improved, as far as the copy does not say it yet, in the order of its fields. */
export const improvements = (three: Three, compares: Compares): Improvement[] =>
  compares.fields.flatMap((field) => planField(field, three, compares).changes)

/**
 * What the copy says of each field with what is taken of the template's changes; of fields of which nothing is taken, nothing. Whatever
 * else the copy has changed stays.
 */
export const takeImprovements = (three: Three, compares: Compares, keys: ReadonlySet<string>): Values =>
  Object.fromEntries(
    compares.fields.flatMap((field) => {
      const { changes, take } = planField(field, three, compares)
      return changes.some(({ key }) => keys.has(key)) ? [[field, take(keys)] as const] : []
    }),
  )

interface Plan {
  readonly changes: readonly Improvement[]
  readonly take: (keys: ReadonlySet<string>) => unknown
}

const planField = (field: string, { base, theirs, mine }: Three, compares: Compares): Plan =>
  plan(field, field, [base[field], theirs[field], mine[field]], compares)

/** `path`: where the value is, `methodStatement.taskSelection`; the field is its first part. */
function plan(field: string, path: string, values: readonly [unknown, unknown, unknown], compares: Compares): Plan {
  const [base, theirs, mine] = values
  if (saysSame(base, theirs) || saysSame(theirs, mine)) return { changes: [], take: () => mine }
  const wraps = (value: unknown) => pathValue(field, path, value)
  if (values.some(isRows)) {
    const rows = [rowsOf(base), rowsOf(theirs), rowsOf(mine)] as const
    const lines = planLines(rows, compares.called(path), (name) => compares.says(field, name))
    return {
      changes: lines.changes.map(({ name, own, before, after }) => ({
        key: `${path}#${name}`,
        field,
        own,
        before: wraps(before),
        after: wraps(after),
      })),
      take: (keys) =>
        lines.take(new Set([...keys].flatMap((k) => (k.startsWith(`${path}#`) ? [k.slice(path.length + 1)] : [])))),
    }
  }
  if (values.some(isRow)) return planGroup(field, path, values, compares)
  if (typeof base === 'string' && typeof theirs === 'string' && typeof mine === 'string') {
    const key = (place: number) => `${path}¶${place}`
    return {
      changes: stretchesOf(base, theirs, mine).map(({ place, own, before, after }) => ({
        key: key(place),
        field,
        own,
        before: wraps(before),
        after: wraps(after),
      })),
      take: (keys) => mergeTexts(base, theirs, mine, (place) => keys.has(key(place))).text,
    }
  }
  const lists = values.every((v) => v === null || v === undefined || Array.isArray(v))
  const after = lists ? mergeSets(base, theirs, mine) : theirs
  if (saysSame(after, mine)) return { changes: [], take: () => mine }
  const own = !lists && !saysSame(base, mine)
  return {
    changes: [{ key: path, field, own, before: wraps(mine), after: wraps(after) }],
    take: (keys) => (keys.has(path) ? after : mine),
  }
}

/** A value with values inside: each for itself. */
function planGroup(
  field: string,
  path: string,
  values: readonly [unknown, unknown, unknown],
  compares: Compares,
): Plan {
  const [base, theirs, mine] = values.map(objectOf) as [Values, Values, Values]
  const names = [...new Set([mine, theirs, base].flatMap(Object.keys))]
  const plans = names.map(
    (name) => [name, plan(field, `${path}.${name}`, [base[name], theirs[name], mine[name]], compares)] as const,
  )
  return {
    changes: plans.flatMap(([, { changes }]) => changes),
    take: (keys) => ({ ...mine, ...Object.fromEntries(plans.map(([name, { take }]) => [name, take(keys)])) }),
  }
}

/** What the template has added to a list of words is added, what it has removed is removed; the copy's own stay. */
function mergeSets(base: unknown, theirs: unknown, mine: unknown): unknown[] {
  const [was, now, own] = [base, theirs, mine].map((v) => (Array.isArray(v) ? (v as unknown[]) : [])) as [
    unknown[],
    unknown[],
    unknown[],
  ]
  const gone = new Set(was.filter((v) => !now.includes(v)))
  const added = now.filter((v) => !was.includes(v) && !own.includes(v))
  return [...own.filter((v) => !gone.has(v)), ...added]
}

/** A part of a field as the field holds it: `{taskSelection: […]}`. */
const pathValue = (field: string, path: string, value: unknown): unknown =>
  path
    .slice(field.length)
    .split('.')
    .filter(Boolean)
    .reduceRight<unknown>((inside, name) => ({ [name]: inside }), value)

const isRows = (value: unknown): boolean => Array.isArray(value) && value.length > 0 && value.every(isRow)
