import { type Pack, packState } from './packs.ts'
import type { AccessVerb, Resource } from './resource.ts'
import { type Actor, hasRole, PROVIDER_CLIENT_ID, type Roles } from './roles.ts'

/**
 * A condition on rows, declared once: the server compiles it to SQL, and the browser evaluates it. A row without a
 * value in the field meets no condition except `nobody's`. An empty list of roles matches all users.
 */
export type RowCondition =
  | {
      readonly field: string
      readonly is:
        | 'mine'
        | "my team's"
        | "others'"
        | "nobody's"
        | 'off'
        | 'on'
        | 'for me'
        | "the provider's"
        | "my company's"
        | 'address of readable'
    }
  | {
      readonly field: string
      readonly is: 'readable'
      /** Declaration whose rules apply to the related record, instead of those of the record's own declaration. */
      readonly as?: () => Resource
    }
  | {
      readonly used: () => Pick<Resource, 'table' | 'columns' | 'fields' | 'tenant'>
      readonly as: string
      readonly by: string
    }
  | { readonly named: () => Resource; readonly column: string }
  | { readonly field: string; readonly whose: RowCondition }
  | { readonly field: string; readonly setOf: string }
  | { readonly field: string; readonly among: readonly string[]; readonly not?: true }
  | { readonly any: readonly RowCondition[] }
  | { readonly all: readonly RowCondition[] }

/** A client setting that restricts its users to fewer rows. */
export type ClientRestriction = 'ownLeads'

/** Rule that limits users without a role in `unless` to the rows that meet `only`. */
export interface AccessRule {
  readonly unless: Roles
  readonly only: RowCondition
  /** Entitlement that exempts its clients from the rule, even once it has lapsed. */
  readonly unlessPack?: Pack
  /** Client setting that enables the rule. If no setting is named, the rule applies in every client. */
  readonly where?: ClientRestriction
  /** Verbs that the rule applies to; all by default. An action requires `read`. */
  readonly verbs?: readonly AccessVerb[]
  /** True to exempt provider staff who have access to every client (`allTenants`). */
  readonly butWide?: true
  /**
   * True to apply the rule only to users with access to every client (`allTenants`), and only if the rows are requested
   * directly. Rows that are sent with their owning record are accessible if that record is.
   */
  readonly withRecord?: true
  /** True if users may change a record so that the rule no longer allows them to access it, such as its owner. */
  readonly mayGiveAway?: true
}

const mine = (field: string): RowCondition => ({ field, is: 'mine' })

/** Row conditions by name. */
export const only = {
  /** Rows whose field refers to the actor, by user ID or, in a text field, by username. */
  mine,
  /** Rows that belong to the actor or to somebody who reports to the actor. */
  myTeams: (field: string): RowCondition => ({ field, is: "my team's" }),
  /** Rows that belong to anybody except the actor. */
  others: (field: string): RowCondition => ({ field, is: "others'" }),
  /** Rows that belong to the actor, and rows that are unassigned. */
  mineOrNobodys: (field: string): RowCondition => ({ any: [mine(field), { field, is: "nobody's" }] }),
  /** Rows whose field has one of these values. */
  among: (field: string, words: readonly string[]): RowCondition => ({ field, among: words }),
  off: (field: string): RowCondition => ({ field, is: 'off' }),
  /** Rows whose field has none of these values. */
  notAmong: (field: string, words: readonly string[]): RowCondition => ({ field, among: words, not: true }),
  on: (field: string): RowCondition => ({ field, is: 'on' }),
  /** Rows whose list of roles is empty or contains one of the actor's roles. */
  forMe: (field: string): RowCondition => ({ field, is: 'for me' }),
  /** Rows that belong to the provider, through the relation to their client. These rows are templates. */
  templates: (field: string): RowCondition => ({ field, is: "the provider's" }),
  /** Rows that belong to the actor's own company, through the relation to their client. */
  ofMyCompany: (field: string): RowCondition => ({ field, is: "my company's" }),
  /**
   * Rows that are referred to by a record that the actor may read. `used` has a row for each pair of such a row (`as`)
   * and a record (`by`).
   */
  usedBy: (
    used: () => Pick<Resource, 'table' | 'columns' | 'fields' | 'tenant'>,
    { as, by }: { as: string; by: string },
  ): RowCondition => ({ used, as, by }),
  /** Rows whose ID is in the given column of a record that the actor may read. */
  namedBy: (named: () => Resource, { column }: { column: string }): RowCondition => ({ named, column }),
  /**
   * Rows that belong to a record that the actor may read, such as the lines or signatures in a document. If `as` is
   * given, its rules apply instead of the stricter rules of the record's own declaration.
   */
  ofReadable: (field: string, as?: () => Resource): RowCondition => ({ field, is: 'readable', ...(as ? { as } : {}) }),
  /**
   * Rows whose field is empty, or is the address of a record that the actor may read. The record's resource states
   * `emails`.
   */
  ofReadableAddress: (field: string): RowCondition => ({ field, is: 'address of readable' }),
  /**
   * Rows related to a record of the same client that meets another condition, for example rows whose lead has a certain
   * owner.
   */
  whose: (field: string, whose: RowCondition): RowCondition => ({ field, whose }),
  /**
   * Rows whose field is in the set that an SQL function returns for the actor: `setOf(client, user)`. For rules that no
   * single column expresses, such as a tree of managers.
   */
  inSet: (field: string, setOf: string): RowCondition => ({ field, setOf }),
  /** Rows whose relation is empty. */
  nobodys: (field: string): RowCondition => ({ field, is: "nobody's" }),
  either: (...any: readonly RowCondition[]): RowCondition => ({ any }),
  both: (...all: readonly RowCondition[]): RowCondition => ({ all }),
} as const

export const conditionFieldNames = (c: RowCondition): string[] =>
  'any' in c
    ? c.any.flatMap(conditionFieldNames)
    : 'all' in c
      ? c.all.flatMap(conditionFieldNames)
      : 'used' in c || 'named' in c
        ? []
        : [c.field]

/** True if only the database can evaluate a condition on a row that is written, because it concerns related records. */
export const dependsOnOtherRecords = (c: RowCondition): boolean =>
  'any' in c
    ? c.any.some(dependsOnOtherRecords)
    : 'all' in c
      ? c.all.some(dependsOnOtherRecords)
      : 'whose' in c || 'setOf' in c || ('is' in c && c.is === 'address of readable')

/** Returns the condition that the rules impose on an actor for a verb; `undefined` if no rule applies. */
export function rowConditionFor(
  rules: readonly AccessRule[],
  actor: Actor,
  verb: AccessVerb,
  { wide = false, within = false, saved = false } = {},
): RowCondition | undefined {
  const bound = rules.filter(
    (rule) =>
      !(wide && rule.butWide) &&
      !(saved && rule.mayGiveAway) &&
      !(rule.withRecord && (within || !wide)) &&
      (rule.where === undefined || actor.choices?.includes(rule.where)) &&
      (rule.unlessPack === undefined || packState(actor, rule.unlessPack) === 'none') &&
      (rule.verbs?.includes(verb) ?? true) &&
      !hasRole(actor, rule.unless),
  )
  return bound.length > 1 ? { all: bound.map((rule) => rule.only) } : bound[0]?.only
}

/**
 * Returns the values that identify the actor in a row: IDs in relations and numbers, usernames in text. For text,
 * includes the username of the real person during impersonation within one client.
 */
export function actorIdentifiers(actor: Actor, kind: string): readonly (string | number)[] {
  if (kind === 'text')
    return actor.original && actor.original.clientId === actor.clientId
      ? [actor.username, actor.original.username]
      : [actor.username]
  return [actor.userId]
}

/** True if a record meets the condition. Accepts rows and API records. */
export function meetsRowCondition(
  r: Pick<Resource, 'fields'>,
  condition: RowCondition,
  row: Readonly<Record<string, unknown>>,
  actor: Actor,
): boolean {
  if ('any' in condition) return condition.any.some((c) => meetsRowCondition(r, c, row, actor))
  if ('all' in condition) return condition.all.every((c) => meetsRowCondition(r, c, row, actor))
  // Only the server can evaluate these conditions. In the browser they are treated as met, because a user who has
  // received the row may read it.
  if ('used' in condition || 'named' in condition || 'whose' in condition || 'setOf' in condition) return true
  if ('is' in condition && condition.is === 'address of readable') return true
  const given = row[condition.field]
  if ('is' in condition && condition.is === 'for me')
    return Array.isArray(given) && (given.length === 0 || given.some((role) => actor.roles.includes(String(role))))
  const value = plainValue(given)
  // Treated as met. Rows of inaccessible records are never sent, so a user who has received the row may read it.
  if ('is' in condition && condition.is === 'readable') return value !== null
  if ('among' in condition) return value !== null && condition.among.includes(String(value)) !== Boolean(condition.not)
  if (condition.is === "nobody's") return value === null
  if (condition.is === 'off' || condition.is === 'on') return value === (condition.is === 'on')
  // Templates are sent without their client to users outside the provider, so an empty value means the provider.
  if (condition.is === "the provider's") return String(value ?? PROVIDER_CLIENT_ID) === String(PROVIDER_CLIENT_ID)
  if (condition.is === "my company's") return String(value ?? PROVIDER_CLIENT_ID) === String(actor.clientId)
  if (value === null) return false
  const kind = r.fields[condition.field]?.kind ?? 'integer'
  const people = condition.is === "my team's" ? [actor.userId, ...(actor.team ?? [])] : actorIdentifiers(actor, kind)
  return people.some((who) => String(who) === String(value)) !== (condition.is === "others'")
}

/** Converts an ID, IRI or object to the ID of the related record. Other values are unchanged. */
function plainValue(value: unknown): string | number | boolean | null {
  if (value === undefined || value === null || value === '') return null
  if (typeof value === 'object') return plainValue((value as { id?: unknown }).id)
  if (typeof value === 'string' && value.startsWith('/api/')) return value.slice(value.lastIndexOf('/') + 1)
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : null
}
