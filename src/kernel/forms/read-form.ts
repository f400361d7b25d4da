import { type Violation, violation } from '../errors.ts'
import { DEFAULT_MAX_LENGTHS } from '../validate.ts'
import { DEFAULT_MAX_FORM_ROWS } from './clean.ts'
import { toEngineField } from './fields.ts'
import { employeeFieldOf, formFieldsByName, formFieldsIn } from './fields-in.ts'
import { type FormProblemReporter, parseFormConditions, parseFormOptions, parseFormText } from './read-parts.ts'
import { toPlainObject, toRowObjects } from './rows.ts'
import type {
  FormCondition,
  FormField,
  FormFieldKind,
  FormFieldOption,
  FormGroup,
  FormSchema,
  FormStep,
} from './schema.ts'
import type { Values } from './visible.ts'

/**
 * Returns the labels of fields whose conditions form a cycle, with the first label repeated at the end; `undefined` if
 * there is no cycle. A field depends on its own conditions and on those of its group and step.
 */
export function findConditionCycle({ steps }: Pick<FormSchema, 'steps'>): readonly string[] | undefined {
  const watched = new Map<string, Set<string>>()
  const labels = new Map<string, string>()
  for (const step of steps)
    for (const group of step.groups)
      for (const field of group.fields) {
        const when = [step.when, group.when, field.when].flatMap((conditions) => conditions ?? [])
        const all = watched.get(field.name) ?? new Set()
        watched.set(field.name, all)
        for (const { watch } of when) all.add(watch)
        labels.set(field.name, field.label || field.name)
      }
  const done = new Set<string>()
  const follow = (name: string, way: readonly string[]): readonly string[] | undefined => {
    const at = way.indexOf(name)
    if (at >= 0) return [...way.slice(at), name]
    if (done.has(name)) return undefined
    for (const next of watched.get(name) ?? []) {
      const circle = follow(next, [...way, name])
      if (circle) return circle
    }
    done.add(name)
    return undefined
  }
  for (const name of watched.keys()) {
    const circle = follow(name, [])
    if (circle) return circle.map((one) => labels.get(one) ?? one)
  }
  return undefined
}

/**
 * Kinds of fields that a version may add to a type's form. Only the type itself may have files, rows and lists from the
 * API.
 */
const ADDED_KINDS = [
  'text',
  'longText',
  'richText',
  'number',
  'date',
  'dateTime',
  'select',
  'combobox',
  'checkbox',
  'switch',
] as const satisfies readonly FormFieldKind[]
const ADDED = new Set<unknown>(ADDED_KINDS)
/** Kinds of fields in the rows of a custom form. */
const CUSTOM_FORM_ROW_KINDS = [...ADDED_KINDS, 'person'] as const satisfies readonly FormFieldKind[]
const IN_ROWS = new Set<unknown>(CUSTOM_FORM_ROW_KINDS)
export const CUSTOM_FORM_FIELD_KINDS = [
  ...CUSTOM_FORM_ROW_KINDS,
  'uploads',
  'signature',
  'rows',
] as const satisfies readonly FormFieldKind[]
const FREE = new Set<unknown>(CUSTOM_FORM_FIELD_KINDS)
const CHOSEN = new Set<FormFieldKind>(['select', 'autocomplete', 'combobox'])
const NAME = /^[a-z][A-Za-z0-9]{0,39}$/
const MAX_COUNTS = { steps: 30, groups: 30, fields: 300, inRows: 20 } as const
const WIDTHS = [3, 4, 6, 8, 12] as const

/** Form declared for a document type, from which form versions are derived. */
export interface DeclaredForm {
  readonly schema: FormSchema
  /** Name of the field with the record's title. */
  readonly title: string
  /** Names that the type already uses outside its form. */
  readonly taken: readonly string[]
  /**
   * True for a custom form, which is not a version of a type's form. None of its fields is treated as additional, and
   * it may have files, signatures and rows.
   */
  readonly free?: true
}

/**
 * Reads a version of a type's form: its differences from the declared form. A version may omit, reorder, move and add
 * fields. It may also change labels, help texts and whether a field is required. The type's own inputs and the title
 * field can't be removed, and whether they are required can't be changed. A field keeps its kind, so that printing and
 * comparison work.
 */
export function parseFormVersion(
  declared: DeclaredForm,
  given: unknown,
): { readonly form: FormSchema; readonly wrong: Violation[] } {
  const wrong: Violation[] = []
  const refuse: FormProblemReporter = (path, message) => void wrong.push(violation(path, message))
  const value = toPlainObject(given)
  const steps = listOf(value.steps, 'schema.steps', MAX_COUNTS.steps, refuse).map((step, i) =>
    readStep(declared, step, `schema.steps[${i}]`, refuse),
  )
  const form: FormSchema = { title: declared.schema.title, ...(declared.free ? readPass(value, refuse) : {}), steps }
  checkWhole(declared, form, refuse)
  return { form, wrong }
}

function readPass({ pass }: Values, refuse: FormProblemReporter): { readonly pass?: number } {
  if (pass === undefined || pass === null) return {}
  if (typeof pass === 'number' && Number.isInteger(pass) && pass >= 1 && pass <= 100) return { pass }
  refuse('schema.pass', 'The pass mark must be a whole percentage from 1 to 100')
  return {}
}

function listOf(value: unknown, path: string, most: number, refuse: FormProblemReporter): readonly Values[] {
  if (!Array.isArray(value)) refuse(path, 'The value must be a list')
  else if (value.length > most) refuse(path, `The list can have at most ${most} entries`)
  return toRowObjects(value).slice(0, most)
}

function readStep(declared: DeclaredForm, step: Values, path: string, refuse: FormProblemReporter): FormStep {
  const name = typeof step.name === 'string' && NAME.test(step.name) ? step.name : ''
  if (!name)
    refuse(
      `${path}.name`,
      'A step name must start with a lower-case letter, contain only letters and digits, and have at most 40 characters',
    )
  return {
    name,
    title: parseFormText(step.title, `${path}.title`, 120, refuse) ?? '',
    ...readHelp(step, path, refuse),
    ...readWhen(step, path, refuse),
    groups: listOf(step.groups, `${path}.groups`, MAX_COUNTS.groups, refuse).map((group, i) =>
      readGroup(declared, group, `${path}.groups[${i}]`, refuse),
    ),
  }
}

function readGroup(declared: DeclaredForm, group: Values, path: string, refuse: FormProblemReporter): FormGroup {
  const title = group.title ? parseFormText(group.title, `${path}.title`, 120, refuse) : undefined
  return {
    ...(title ? { title } : {}),
    ...readHelp(group, path, refuse),
    ...readWhen(group, path, refuse),
    fields: listOf(group.fields, `${path}.fields`, MAX_COUNTS.fields, refuse).map((field, i) =>
      readField(declared, field, `${path}.fields[${i}]`, refuse),
    ),
  }
}

function readField(declared: DeclaredForm, given: Values, path: string, refuse: FormProblemReporter): FormField {
  const own = formFieldsByName(declared.schema).get(String(given.name))
  if (own) return readOwn(declared, own, given, path, refuse)
  const name = typeof given.name === 'string' && NAME.test(given.name) ? given.name : ''
  const { free } = declared
  const kind = ((free ? FREE : ADDED).has(given.kind) ? given.kind : 'text') as FormFieldKind
  if (!name)
    refuse(
      `${path}.name`,
      'A field name must start with a lower-case letter, contain only letters and digits, and have at most 40 characters',
    )
  else if (declared.taken.includes(name) || name in Object.prototype)
    refuse(`${path}.name`, `“${name}” is already used. Choose another name.`)
  if (kind !== given.kind) refuse(`${path}.kind`, 'A field of this type can’t be added')
  if (!free && given.additional !== true)
    refuse(path, `The declared form has no field “${name}”: an added field must be marked as additional`)
  const bare: FormField = { name, kind, label: '', ...(free ? {} : { additional: true as const }) }
  const field = { ...said(bare, given, path, refuse), ...(free ? readSubject(kind, given, path, refuse) : {}) }
  return kind === 'rows' ? { ...field, ...readColumns(given, path, refuse) } : field
}

function readSubject(
  kind: FormFieldKind,
  given: Values,
  path: string,
  refuse: FormProblemReporter,
): Pick<FormField, 'subject'> {
  if (given.subject !== true) return {}
  if (kind === 'text' || kind === 'select') return { subject: true }
  refuse(`${path}.subject`, 'Only a short text or one choice from a list can name what is checked')
  return {}
}

/** Reads the columns for rows in a custom form: plain fields without conditions. */
function readColumns(given: Values, path: string, refuse: FormProblemReporter): Pick<FormField, 'fields' | 'add'> {
  const fields = listOf(given.fields, `${path}.fields`, MAX_COUNTS.inRows, refuse).map((own, i): FormField => {
    const at = `${path}.fields[${i}]`
    const name = typeof own.name === 'string' && NAME.test(own.name) && !(own.name in Object.prototype) ? own.name : ''
    const kind = (IN_ROWS.has(own.kind) ? own.kind : 'text') as FormFieldKind
    if (!name)
      refuse(
        `${at}.name`,
        'A field name must start with a lower-case letter, contain only letters and digits, and have at most 40 characters',
      )
    if (kind !== own.kind) refuse(`${at}.kind`, 'A field of this type can’t be added')
    if (toRowObjects(own.when).length) refuse(`${at}.when`, 'Fields in rows can’t have conditions')
    return said({ name, kind, label: '' }, { ...own, when: undefined }, at, refuse)
  })
  if (!fields.length) refuse(`${path}.fields`, 'Please add at least one field to the rows')
  if (hasSameName(fields)) refuse(`${path}.fields`, 'Two fields have the same name')
  const add = given.add ? parseFormText(given.add, `${path}.add`, 60, refuse) : undefined
  return { fields, ...(add ? { add } : {}) }
}

/** True if two fields would store a value under the same name, including the employees beside names. */
const hasSameName = (fields: readonly FormField[]): boolean => {
  const names = fields.flatMap((f) => (f.kind === 'person' ? [f.name, employeeFieldOf(f)] : [f.name]))
  return new Set(names).size < names.length
}

/** Reads one of the type's own fields. Its kind and the source of its options can't change. */
function readOwn(
  { title }: DeclaredForm,
  own: FormField,
  given: Values,
  path: string,
  refuse: FormProblemReporter,
): FormField {
  // A name was a text before employees could be chosen.
  const isName = own.kind === 'person' && given.kind === 'text'
  if (given.kind !== undefined && given.kind !== own.kind && !isName)
    refuse(`${path}.kind`, `The type of “${own.label}” can’t be changed`)
  const field = said(own, given, path, refuse)
  if (!isPinnedField(own, title)) return field
  const { when: _, required: __, ...rest } = field
  return { ...rest, ...(own.required ? { required: true } : {}) }
}

/** Reads the properties that a version may set on any field. */
function said(base: FormField, given: Values, path: string, refuse: FormProblemReporter): FormField {
  const { help: _, required: __, message: ___, when: ____, options: _____, ...kept } = base
  const message = given.message ? parseFormText(given.message, `${path}.message`, 200, refuse) : undefined
  const width = WIDTHS.find((w) => w === given.width)
  return {
    ...kept,
    label: parseFormText(given.label ?? base.label, `${path}.label`, 120, refuse) ?? base.label,
    ...readHelp(given, path, refuse),
    ...(given.required === true ? { required: true } : {}),
    ...(message ? { message } : {}),
    ...readWhen(given, path, refuse),
    ...(width ? { width } : {}),
    ...readLimits(base, given, path, refuse),
    ...readChoices(base, given, path, refuse),
    ...readInner(base, given, path, refuse),
  }
}

function readHelp(given: Values, path: string, refuse: FormProblemReporter) {
  const help = given.help ? parseFormText(given.help, `${path}.help`, 1000, refuse) : undefined
  return help ? { help } : {}
}

function readWhen(
  given: Values,
  path: string,
  refuse: FormProblemReporter,
): { readonly when?: readonly FormCondition[] } {
  const when = parseFormConditions(given.when, `${path}.when`, refuse)
  return when.length ? { when } : {}
}

function readChoices(
  base: FormField,
  given: Values,
  path: string,
  refuse: FormProblemReporter,
): { readonly options?: readonly FormFieldOption[] } {
  if (!CHOSEN.has(base.kind) || base.source) return {}
  const options = parseFormOptions(given.options ?? base.options, `${path}.options`, refuse)
  if (!options.length && base.kind === 'select') refuse(`${path}.options`, 'Please add at least one option')
  if (base.kind !== 'select' && options.some((o) => o.means))
    refuse(`${path}.options`, 'Only options of “One choice from a list” can stand for fine or a defect')
  return options.length ? { options } : {}
}

/**
 * Reads limits. A version may narrow them but not widen them, because the record must be able to store every accepted
 * value.
 */
function readLimits(base: FormField, given: Values, path: string, refuse: FormProblemReporter) {
  const number = (name: 'min' | 'max') => {
    const limit = given[name]
    if (limit === undefined || limit === null) return base[name]
    if (typeof limit === 'number' && Number.isFinite(limit)) return limit
    refuse(`${path}.${name}`, 'Please enter a number')
    return base[name]
  }
  const [min, max] = [number('min'), number('max')]
  const most =
    base.max ?? (base.kind === 'rows' ? DEFAULT_MAX_FORM_ROWS : DEFAULT_MAX_LENGTHS[toEngineField(base).kind])
  if (most !== undefined && max !== undefined && max > most)
    refuse(`${path}.max`, `The maximum can’t be more than ${most}`)
  if (max !== undefined && max < 1 && base.kind !== 'number') refuse(`${path}.max`, 'The maximum must be at least 1')
  const top = max ?? most
  if (min !== undefined && top !== undefined && min > top)
    refuse(`${path}.min`, `The minimum can’t be more than ${top}. No answer would be valid`)
  if (base.min !== undefined && min !== undefined && min < base.min)
    refuse(`${path}.min`, `The minimum must be at least ${base.min}`)
  return { ...(min === undefined ? {} : { min }), ...(max === undefined ? {} : { max }) }
}

/**
 * Reads the fields within rows. The type defines these fields; the form sets their labels and whether they are
 * required.
 */
function readInner(
  base: FormField,
  given: Values,
  path: string,
  refuse: FormProblemReporter,
): { readonly fields?: readonly FormField[] } {
  if (!base.fields) return {}
  const by = new Map(toRowObjects(given.fields).map((f) => [f.name, f]))
  return {
    fields: base.fields.map((own, i) => said(own, by.get(own.name) ?? { ...own }, `${path}.fields[${i}]`, refuse)),
  }
}

/**
 * True for the type's own inputs and the title field. They are always in the form, and whether they are required can't
 * be changed.
 */
export const isPinnedField = (field: FormField, title: string): boolean =>
  field.kind === 'custom' || field.name === title

function checkWhole({ schema, title }: DeclaredForm, form: FormSchema, refuse: FormProblemReporter): void {
  const fields = formFieldsIn(form)
  const names = fields.map((f) => f.name)
  for (const [i, name] of names.entries())
    if (name && names.indexOf(name) !== i) refuse('schema.steps', `“${fields[i]?.label ?? name}” is in the form twice`)
  for (const f of fields.filter(({ kind }) => kind === 'person'))
    if (names.includes(employeeFieldOf(f)))
      refuse('schema.steps', `“${employeeFieldOf(f)}” stores the employee of “${f.label}”. Choose another name.`)
  if (fields.filter((f) => f.subject).length > 1)
    refuse('schema.steps', 'Only one question of a form can name what is checked')
  const steps = form.steps.map((s) => s.name)
  if (new Set(steps).size < steps.length) refuse('schema.steps', 'Two steps have the same name')
  if (fields.length > MAX_COUNTS.fields) refuse('schema.steps', `A form can have at most ${MAX_COUNTS.fields} fields`)
  for (const own of formFieldsIn(schema).filter((f) => isPinnedField(f, title)))
    if (!names.includes(own.name)) refuse('schema.steps', `“${own.label}” can’t be removed`)
  const watched = [
    ...form.steps.flatMap((s) => [...(s.when ?? []), ...s.groups.flatMap((g) => g.when ?? [])]),
    ...fields.flatMap((f) => f.when ?? []),
  ]
  for (const { watch } of watched)
    if (!names.includes(watch)) refuse('schema.steps', `A condition depends on “${watch}”, which is not in the form`)
  const circle = findConditionCycle(form)
  if (circle)
    refuse(
      'schema.steps',
      `These conditions depend on each other in a cycle: ${circle.map((c) => `“${c}”`).join(' → ')}`,
    )
  for (const step of form.steps)
    for (const group of step.groups)
      for (const field of group.fields)
        if (isPinnedField(field, title) && (step.when || group.when))
          refuse('schema.steps', `“${field.label}” is always required: its step and group can’t have conditions`)
}
