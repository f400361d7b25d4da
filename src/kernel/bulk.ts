import { can, canRunAction } from './can.ts'
import { type Field, type Fields, labelOf, writeRoles } from './fields.ts'
import type { Resource } from './resource.ts'
import { type Actor, hasRole } from './roles.ts'

/** What can be done to many records of a list at once: run an action, or change one field. */
export interface BulkAction {
  readonly name: string
  /** On a button: "Retire", "Owner". */
  readonly title: string
  /** What it is given, the same for all records. */
  readonly input: Fields
  /** The action that takes it back. */
  readonly undo?: string
  /** The change that it is; without it, the action of its name is run. */
  readonly change?: BulkChange
}

type Values = Readonly<Record<string, unknown>>

/** A change of one field: to this value, or to that of the input. */
export interface BulkChange {
  readonly field: string
  readonly value?: boolean
}

type Bulk = Pick<Resource, 'bulk' | 'fields' | 'actions' | 'type' | 'allow'>

/**
 * What the lists of a resource declare. `retire` brings `restore` with it; where nobody may change a record, changes are left
 * out. Throws for a name that is neither action nor field.
 */
export const bulkActions = (r: Bulk): BulkAction[] =>
  (r.bulk ?? []).flatMap((name) => bulkActionsOf(r, name)).filter(({ change }) => !change || r.allow.update)

function bulkActionsOf(r: Bulk, name: string): BulkAction[] {
  const action = r.actions?.[name]
  if (action) return [{ name, title: action.title, input: action.input, ...(action.undo ? { undo: action.undo } : {}) }]
  const retired = retiredField(r)
  if (name === 'retire' && retired)
    return [
      { name, title: 'Retire', input: {}, undo: 'restore', change: { field: retired, value: true } },
      { name: 'restore', title: 'Restore', input: {}, undo: name, change: { field: retired, value: false } },
    ]
  const field: Field | undefined = r.fields[name]
  if (!field || field.readonly || field.kind === 'rows')
    throw new Error(
      `${r.type}: "${name}" can't be done to many records: it is neither an action nor a field that is changed`,
    )
  return [{ name, title: labelOf(name, field), input: { [name]: field }, change: { field: name } }]
}

/** The field that says whether a record is put away. */
export const retiredField = (r: Pick<Resource, 'fields'>): string | undefined =>
  ['retired', 'isRetired'].find((name) => r.fields[name]?.kind === 'flag')

/** May the actor do it at all? Whether to each record, its own rules say when it comes to it. */
export const canRunBulk = (actor: Actor | undefined, r: Resource, { name, change }: BulkAction): boolean =>
  change
    ? can(actor, 'update', r) && hasRole(actor, writeRoles(r.fields[change.field] as Field) ?? 'member')
    : canRunAction(actor, name, r)

/** Does it take a fresh proof of who somebody is? */
export const bulkRequiresProof = ({ asksProof }: Pick<Resource, 'asksProof'>, { change }: BulkAction): boolean =>
  asksProof === true || (!!change && !!asksProof?.includes(change.field))

/** Can it be taken back? Another action does it, or each record is given back what its field said. */
export const canUndo = ({ undo, change }: Pick<BulkAction, 'undo' | 'change'>): boolean =>
  undo !== undefined || change !== undefined

/** What a change sets, the input given. */
export const changesOf = ({ field, value }: BulkChange, input: Values): Values => ({
  [field]: value === undefined ? input[field] : value,
})
