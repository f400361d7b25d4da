import { isRow, objectOf, rowsOf } from '#kernel/forms/rows.ts'
import type { Values } from '#kernel/forms/visible.ts'
import type { RowIdentity } from '../types/compared.ts'
import { planRowMerge } from './lines.ts'
import { changedPassages, mergeTemplateText } from './paragraphs.ts'
import { hasSameContent } from './says-same.ts'

/** A change of a template since it was copied that the copy doesn't have yet. */
export interface TemplateChange {
  /** Stable for the same two template revisions: `controls#Noise`, `intent¶2`. */
  readonly key: string
  readonly field: string
  /** True if the copy has changed the same: accepting replaces its text by the template's. */
  readonly own: boolean
  /** Part of the field concerned: in the copy, and after the change. */
  readonly before: unknown
  readonly after: unknown
}

export interface TemplateComparison {
  readonly fields: readonly string[]
  /** How the rows of a field are identified, if not by their names. */
  readonly called: (field: string) => RowIdentity
  /** True if the value of a row is content written by a person. */
  readonly says: (field: string, name: string) => boolean
}

/** The compared versions: the copied template, the current template and the copy. */
export interface ThreeWayVersions {
  readonly base: Values
  readonly theirs: Values
  readonly mine: Values
}

/** Template changes that the copy doesn't have yet, in field order. */
export const templateChanges = (three: ThreeWayVersions, compares: TemplateComparison): TemplateChange[] =>
  compares.fields.flatMap((field) => planField(field, three, compares).changes)

/** Values of the changed fields of the copy with the accepted template changes. Other changes of the copy are kept. */
export const acceptTemplateChanges = (
  three: ThreeWayVersions,
  compares: TemplateComparison,
  keys: ReadonlySet<string>,
): Values =>
  Object.fromEntries(
    compares.fields.flatMap((field) => {
      const { changes, take } = planField(field, three, compares)
      return changes.some(({ key }) => keys.has(key)) ? [[field, take(keys)] as const] : []
    }),
  )

interface Plan {
  readonly changes: readonly TemplateChange[]
  readonly take: (keys: ReadonlySet<string>) => unknown
}

const planField = (field: string, { base, theirs, mine }: ThreeWayVersions, compares: TemplateComparison): Plan =>
  plan(field, field, [base[field], theirs[field], mine[field]], compares)

/** `path` is the location of the value, e.g. `methodStatement.taskSelection`; it starts with the field. */
function plan(
  field: string,
  path: string,
  values: readonly [unknown, unknown, unknown],
  compares: TemplateComparison,
): Plan {
  const [base, theirs, mine] = values
  if (hasSameContent(base, theirs) || hasSameContent(theirs, mine)) return { changes: [], take: () => mine }
  const wraps = (value: unknown) => pathValue(field, path, value)
  if (values.some(isRows)) {
    const rows = [rowsOf(base), rowsOf(theirs), rowsOf(mine)] as const
    const lines = planRowMerge(rows, compares.called(path), (name) => compares.says(field, name))
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
      changes: changedPassages(base, theirs, mine).map(({ place, own, before, after }) => ({
        key: key(place),
        field,
        own,
        before: wraps(before),
        after: wraps(after),
      })),
      take: (keys) => mergeTemplateText(base, theirs, mine, (place) => keys.has(key(place))).text,
    }
  }
  const lists = values.every((v) => v === null || v === undefined || Array.isArray(v))
  const after = lists ? mergeSets(base, theirs, mine) : theirs
  if (hasSameContent(after, mine)) return { changes: [], take: () => mine }
  const own = !lists && !hasSameContent(base, mine)
  return {
    changes: [{ key: path, field, own, before: wraps(mine), after: wraps(after) }],
    take: (keys) => (keys.has(path) ? after : mine),
  }
}

/** A nested value: each part separately. */
function planGroup(
  field: string,
  path: string,
  values: readonly [unknown, unknown, unknown],
  compares: TemplateComparison,
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

/** Adds and removes what the template has added to and removed from a list of words; the copy's own words remain. */
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

/** Part of a field in the structure of the field: `{taskSelection: […]}`. */
const pathValue = (field: string, path: string, value: unknown): unknown =>
  path
    .slice(field.length)
    .split('.')
    .filter(Boolean)
    .reduceRight<unknown>((inside, name) => ({ [name]: inside }), value)

const isRows = (value: unknown): boolean => Array.isArray(value) && value.length > 0 && value.every(isRow)
