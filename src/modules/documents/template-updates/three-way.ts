import { diff3Merge, diffIndices } from 'node-diff3'
import type { Field } from '#kernel/fields.ts'
import { formFieldsByName, formFieldsIn } from '#kernel/forms/fields-in.ts'
import { isPlainObject, toPlainObject, toRowObjects } from '#kernel/forms/rows.ts'
import type { Values } from '#kernel/forms/visible.ts'
import type { RowIdentity } from '../types/comparison-rules.ts'
import { type DocumentKind, ORIGIN_FIELD_NAMES } from '../types/kind.ts'
import { firstReferenceFields } from '../types/reference.ts'
import { rowTitle } from '../types/value-text.ts'
import { hasSameContent, planRowMerge } from './lines.ts'

/** A passage that a template has changed since it was copied, with its index among the changed passages. */
interface ChangedPassage {
  readonly place: number
  /** True if the copy has changed the same paragraphs, with different content. */
  readonly own: boolean
  /** The copy's text, before and after the change; either may be empty. */
  readonly before: string
  readonly after: string
}

/** Splits formatted text into paragraphs, or plain text into lines. Joining the parts restores the text. */
export function splitParagraphs(text: string): string[] {
  if (!/^\s*<\w/.test(text)) return text.match(/[^\n]*\n|[^\n]+$/g) ?? []
  const parts: string[] = []
  let [depth, from] = [0, 0]
  for (const tag of text.matchAll(/<(\/?)(\w+)[^>]*?(\/?)>/g)) {
    const alone = tag[3] !== '' || tag[2] === 'br' || tag[2] === 'hr'
    if (!alone) depth += tag[1] === '' ? 1 : -1
    if (depth > 0 || tag[2] === 'br') continue
    const end = tag.index + tag[0].length
    parts.push(text.slice(from, end))
    ;[depth, from] = [0, end]
  }
  return from < text.length ? [...parts, text.slice(from)] : parts
}

/** Returns the passages that the template has changed and that the copy doesn't have yet. */
function changedPassages(base: string, theirs: string, mine: string): ChangedPassage[] {
  const said = splitParagraphs(mine)
  return diffIndices(splitParagraphs(base), splitParagraphs(theirs)).flatMap((_, place): ChangedPassage[] => {
    const { text, own } = mergeTemplateText(base, theirs, mine, (at) => at === place)
    const changes = diffIndices(said, splitParagraphs(text))
    const [first, last] = [changes[0], changes.at(-1)]
    if (!first || !last) return []
    const part = (all: readonly string[], of: 'buffer1' | 'buffer2') =>
      all.slice(first[of][0], last[of][0] + last[of][1]).join('')
    return [{ place, own, before: part(said, 'buffer1'), after: part(splitParagraphs(text), 'buffer2') }]
  })
}

/**
 * Applies template changes to the copy's text. If both changed the same paragraphs (`own`), accepted changes replace
 * the copy's.
 */
function mergeTemplateText(
  base: string,
  theirs: string,
  mine: string,
  taken: (place: number) => boolean,
): { readonly text: string; readonly own: boolean } {
  const [was, now] = [splitParagraphs(base), splitParagraphs(theirs)]
  const partly = [...was]
  // Starts from the end, so that earlier positions remain valid.
  for (const [place, { buffer1, buffer2 }] of [...diffIndices(was, now).entries()].toReversed())
    if (taken(place)) partly.splice(buffer1[0], buffer1[1], ...now.slice(buffer2[0], buffer2[0] + buffer2[1]))
  const regions = diff3Merge(splitParagraphs(mine), was, partly)
  return {
    text: regions.flatMap((region) => region.ok ?? region.conflict?.b ?? []).join(''),
    own: regions.some((region) => region.conflict),
  }
}

/** A change to a template since it was copied that the copy doesn't contain yet. */
export interface TemplateChange {
  /** Key that is stable for the same two template revisions, such as `controls#Noise` or `intent¶2`. */
  readonly key: string
  readonly field: string
  /** True if the copy has changed the same part: accepting the change replaces the copy's text with the template's. */
  readonly own: boolean
  /** Affected part of the field in the copy, before and after the change. */
  readonly before: unknown
  readonly after: unknown
}

export interface TemplateComparison {
  readonly fields: readonly string[]
  /** Returns the rules that identify the rows of a field. */
  readonly called: (field: string) => RowIdentity
  /** Returns true if a row's value is content that a person entered. */
  readonly says: (field: string, name: string) => boolean
}

/** The compared versions: the template as copied, the current template and the copy. */
export interface ThreeWayVersions {
  readonly base: Values
  readonly theirs: Values
  readonly mine: Values
}

/** Returns the template changes that the copy doesn't have yet, in field order. */
export const templateChanges = (three: ThreeWayVersions, compares: TemplateComparison): TemplateChange[] =>
  compares.fields.flatMap((field) => planField(field, three, compares).changes)

/** Returns the values of the copy's changed fields, with the accepted template changes and the copy's own changes. */
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

/**
 * Plans the merge of one value. `path` is the value's path, which starts with the field, for example
 * `methodStatement.taskSelection`.
 */
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
    const rows = [toRowObjects(base), toRowObjects(theirs), toRowObjects(mine)] as const
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
  if (values.some(isPlainObject)) return planGroup(field, path, values, compares)
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

/** Plans the merge of a nested value, part by part. */
function planGroup(
  field: string,
  path: string,
  values: readonly [unknown, unknown, unknown],
  compares: TemplateComparison,
): Plan {
  const [base, theirs, mine] = values.map(toPlainObject) as [Values, Values, Values]
  const names = [...new Set([mine, theirs, base].flatMap(Object.keys))]
  const plans = names.map(
    (name) => [name, plan(field, `${path}.${name}`, [base[name], theirs[name], mine[name]], compares)] as const,
  )
  return {
    changes: plans.flatMap(([, { changes }]) => changes),
    take: (keys) => ({ ...mine, ...Object.fromEntries(plans.map(([name, { take }]) => [name, take(keys)])) }),
  }
}

/** Applies the template's additions to and removals from a list of strings. The copy's own strings remain. */
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

/** Wraps a part of a field in the field's structure, such as `{taskSelection: […]}`. */
const pathValue = (field: string, path: string, value: unknown): unknown =>
  path
    .slice(field.length)
    .split('.')
    .filter(Boolean)
    .reduceRight<unknown>((inside, name) => ({ [name]: inside }), value)

const isRows = (value: unknown): boolean => Array.isArray(value) && value.length > 0 && value.every(isPlainObject)

/** Fields that belong to a revision or to its form, and are not content. */
const BESIDE = ['additional', 'unplaced', 'reviewReason']

/** Row fields for storage and confirmation, which are not content. */
const STORAGE_FIELDS = new Set(['position', 'retired', 'unconfirmed'])

/**
 * Returns the rules for comparing a type's fields with its template. They cover all content except the copy's own
 * title, files and references, and the answers that a copy must confirm (place, date and people).
 */
export function templateComparisonFor(kind: DocumentKind): TemplateComparison {
  const form = formFieldsByName(kind.schema)
  const declared: Readonly<Record<string, Field>> = kind.resource.fields
  const own = new Set([
    ...ORIGIN_FIELD_NAMES,
    ...BESIDE,
    ...Object.keys({ ...kind.references, ...kind.follows, ...firstReferenceFields(kind.references) }),
    ...(kind.picture ? [kind.picture] : []),
    kind.title.field,
  ])
  const isCompared = (name: string) => {
    const [f, asked] = [declared[name], form.get(name)]
    if (!f || own.has(name) || !(f.inJson || kind.rows.includes(name))) return false
    return f.kind !== 'link' && isWritten(f) && !asked?.confirm && asked?.kind !== 'uploads'
  }
  const names = [...formFieldsIn(kind.schema).map((f) => f.name), ...Object.keys(declared)]
  return {
    fields: [...new Set(names)].filter(isCompared),
    called: (field) => kind.called?.[field] ?? { row: rowTitle },
    says: (field, name) => {
      const of = rowFields(kind, field)
      if (!of) return true
      const f = of.fields[name]
      return f !== undefined && isWritten(f) && name !== of.by && !STORAGE_FIELDS.has(name)
    },
  }
}

const isWritten = (f: Field) => !f.readonly && f.editable !== 'nobody'

/**
 * Returns the row fields of a field whose rows are stored in a separate table, and the row field that refers to the
 * document. Returns undefined for any other field.
 */
function rowFields(kind: DocumentKind, field: string) {
  const f: Field | undefined = (kind.resource.fields as Readonly<Record<string, Field>>)[field]
  return f?.kind === 'rows' ? { fields: f.target?.().fields ?? {}, by: f.by } : undefined
}

/** Returns a part of a field for display, without storage fields and links to other records. */
export function displayedFieldPart(kind: DocumentKind, field: string, value: unknown): unknown {
  const of = rowFields(kind, field)
  if (!of) return value
  return toRowObjects(value).map(
    (row): Values =>
      Object.fromEntries(
        Object.entries(row).filter(
          ([name]) => name in of.fields && of.fields[name]?.kind !== 'link' && !STORAGE_FIELDS.has(name),
        ),
      ),
  )
}
