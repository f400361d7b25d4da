import { actionRule, can, canRunAction, canRunActionInState, isActionAllowedOnRecord } from './can.ts'
import { type Field, type Fields, labelOf, rolesAllowedToWrite } from './fields.ts'
import type { ActionSpec, BulkActionDeclaration, Resource } from './resource.ts'
import { type Actor, hasRole } from './roles.ts'
import { conditionFieldNames } from './row-rules.ts'

/** Bulk action on the records in a list: runs an action or changes one field of each record. */
export interface BulkAction {
  readonly name: string
  /** Button label, such as "Retire" or "Owner". */
  readonly title: string
  /** Input fields. Their values apply to all selected records. */
  readonly input: Fields
  /** Names of the action's inputs that apply to one record only. A bulk request with one of them is refused. */
  readonly singleOnly?: readonly string[]
  /** Name of the action that undoes this action. */
  readonly undo?: string
  /** Change to a field; if not set, the action with this name is run. */
  readonly change?: BulkFieldChange
}

type Values = Readonly<Record<string, unknown>>

/** Change of one field to `value` or, if `value` is not set, to the value in the input. */
export interface BulkFieldChange {
  readonly field: string
  readonly value?: boolean
}

type Bulk = Pick<Resource, 'bulk' | 'fields' | 'actions' | 'type' | 'allow'>

/**
 * Returns the bulk actions that a resource declares. `retire` implies `restore`. Omits field changes if the resource
 * allows no updates. Throws if a name is neither an action nor a field that can be changed.
 */
export const bulkActions = (r: Bulk): BulkAction[] =>
  (r.bulk ?? []).flatMap((name) => bulkActionsOf(r, name)).filter(({ change }) => !change || r.allow.update)

function bulkActionsOf(r: Bulk, declared: string | BulkActionDeclaration): BulkAction[] {
  const name = typeof declared === 'string' ? declared : declared.action
  const action = r.actions?.[name]
  if (action) return [bulkActionOf(r, name, action, typeof declared === 'string' ? undefined : declared.input)]
  const retired = retiredFieldName(r)
  if (name === 'retire' && retired)
    return [
      { name, title: 'Retire', input: {}, undo: 'restore', change: { field: retired, value: true } },
      { name: 'restore', title: 'Restore', input: {}, undo: name, change: { field: retired, value: false } },
    ]
  const field: Field | undefined = r.fields[name]
  if (!field || field.readonly || field.kind === 'rows')
    throw new Error(
      `${r.type}: "${name}" can't be a bulk action because it is neither an action nor a changeable field`,
    )
  return [{ name, title: labelOf(name, field), input: { [name]: field }, change: { field: name } }]
}

/**
 * Returns the bulk action of an action with only the inputs whose one value makes sense for many records. Throws if the
 * declaration does not state them, or leaves out a required one.
 */
function bulkActionOf(
  { type }: Bulk,
  name: string,
  { title, input, undo }: ActionSpec,
  many: readonly string[] | undefined,
): BulkAction {
  const all = Object.entries<Field>(input)
  if (!many && all.length)
    throw new Error(
      `${type}: the bulk action "${name}" must state which inputs apply to many records: { action: '${name}', input: […] }`,
    )
  const unknown = many?.find((one) => !(one in input))
  if (unknown) throw new Error(`${type}: the bulk action "${name}" has no input "${unknown}"`)
  const singleOnly = all.flatMap(([one, f]) => {
    if (many?.includes(one)) return []
    if (f.required) throw new Error(`${type}: the bulk action "${name}" can't leave out the required input "${one}"`)
    return [one]
  })
  return {
    name,
    title,
    input: Object.fromEntries(all.filter(([one]) => many?.includes(one))),
    ...(singleOnly.length ? { singleOnly } : {}),
    ...(undo ? { undo } : {}),
  }
}

/** Returns the name of the field that marks a record as retired; `undefined` if there is none. */
export const retiredFieldName = (r: Pick<Resource, 'fields'>): string | undefined =>
  ['retired', 'isRetired'].find((name) => r.fields[name]?.kind === 'flag')

/** True if the actor may run the bulk action at all. The rules for each record are checked when the action runs. */
export const canRunBulkAction = (actor: Actor | undefined, r: Resource, { name, change }: BulkAction): boolean =>
  change
    ? can(actor, 'update', r) && hasRole(actor, rolesAllowedToWrite(r.fields[change.field] as Field) ?? 'member')
    : canRunAction(actor, name, r)

/**
 * True if the bulk action may change at least one of these records: its field has another value, or the record's state
 * and the action's row rule allow it. Fields that lists omit are treated as allowing it.
 */
export const canRunBulkActionOnSome = (
  actor: Actor,
  r: Resource,
  { name, change }: BulkAction,
  rows: readonly Values[],
): boolean => {
  const rule = change ? undefined : actionRule(actor, name, r)
  const ruled = rule ? conditionFieldNames(rule) : []
  return rows.some((row) => {
    if (change) return change.value === undefined || row[change.field] !== change.value
    const state = r.state === undefined ? undefined : row[r.state]
    return (
      (state === undefined ? canRunAction(actor, name, r) : canRunActionInState(actor, name, r, state)) &&
      (ruled.some((field) => row[field] === undefined) || isActionAllowedOnRecord(actor, name, r, row))
    )
  })
}

/** True if the bulk action requires the user to confirm their identity again. */
export const bulkActionRequiresProof = ({ asksProof }: Pick<Resource, 'asksProof'>, { change }: BulkAction): boolean =>
  asksProof === true || (!!change && !!asksProof?.includes(change.field))

/** True if the bulk action can be undone, either by another action or by restoring each record's previous value. */
export const canUndoBulkAction = ({ undo, change }: Pick<BulkAction, 'undo' | 'change'>): boolean =>
  undo !== undefined || change !== undefined

export const bulkChangeValues = ({ field, value }: BulkFieldChange, input: Values): Values => ({
  [field]: value === undefined ? input[field] : value,
})
