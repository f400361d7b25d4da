import type { Resource, Verb } from './resource.ts'
import { type Actor, hasRole, PROVIDER, type Roles } from './roles.ts'

/**
 * Which rows a condition means, said once: the server compiles it to SQL, the browser evaluates it. A row without a value in
 * the field meets no condition but `nobody's`; a list that is empty is for everybody.
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
    }
  | {
      readonly field: string
      readonly is: 'readable'
      /** The record that it leads to, as far as this rule asks; by its own declaration unless said. */
      readonly as?: () => Resource
    }
  | {
      readonly used: () => Pick<Resource, 'table' | 'columns' | 'fields' | 'tenant'>
      readonly as: string
      readonly by: string
    }
  | { readonly named: () => Resource; readonly column: string }
  | { readonly field: string; readonly whose: RowCondition }
  | { readonly field: string; readonly among: readonly string[]; readonly not?: true }
  | { readonly any: readonly RowCondition[] }
  | { readonly all: readonly RowCondition[] }

/** What a client may choose that leaves its people fewer rows. */
export type Choice = 'ownLeads'

/** People without one of `unless` reach only the rows that meet `only`. */
export interface RowRule {
  readonly unless: Roles
  readonly only: RowCondition
  /** It holds in those clients only that have chosen so. */
  readonly where?: Choice
  /** The verbs that it is about; all of them unless said. An action asks for `read`. */
  readonly verbs?: readonly Verb[]
  /** Provider staff who reach every client by `wide` are not bound by it. */
  readonly butWide?: true
  /** They alone are bound by it, where they ask for rows by themselves: rows that come with the record they belong to, come as that does. */
  readonly withRecord?: true
}

const mine = (field: string): RowCondition => ({ field, is: 'mine' })

/** The conditions, by what they say. */
export const only = {
  /** Rows whose field holds the actor: their user id, or, in a text, their username. */
  mine,
  /** Rows that hold the actor or somebody who reports to them. */
  myTeams: (field: string): RowCondition => ({ field, is: "my team's" }),
  /** Rows that hold somebody else than the actor. */
  others: (field: string): RowCondition => ({ field, is: "others'" }),
  /** The actor's own, and those that nobody has yet. */
  mineOrNobodys: (field: string): RowCondition => ({ any: [mine(field), { field, is: "nobody's" }] }),
  /** Rows whose field says one of these words. */
  among: (field: string, words: readonly string[]): RowCondition => ({ field, among: words }),
  /** Rows whose flag is not set. */
  off: (field: string): RowCondition => ({ field, is: 'off' }),
  /** Rows whose field says something else than these words. */
  notAmong: (field: string, words: readonly string[]): RowCondition => ({ field, among: words, not: true }),
  /** Rows whose flag is set. */
  on: (field: string): RowCondition => ({ field, is: 'on' }),
  /** Rows whose list of roles is empty, or names one of the actor's. */
  forMe: (field: string): RowCondition => ({ field, is: 'for me' }),
  /** Rows of the provider, by the relation that says whose they are: templates. */
  templates: (field: string): RowCondition => ({ field, is: "the provider's" }),
  /** Rows of the actor's own company, by the relation that says whose they are. */
  ofMyCompany: (field: string): RowCondition => ({ field, is: "my company's" }),
  /** Rows that a record which the actor may read refers to: `uses` holds, a row for each, the row here (`as`) and the record (`by`). */
  usedBy: (
    used: () => Pick<Resource, 'table' | 'columns' | 'fields' | 'tenant'>,
    { as, by }: { as: string; by: string },
  ): RowCondition => ({ used, as, by }),
  /** Rows whose id is among those that the database keeps in a column of a record which the actor may read. */
  namedBy: (named: () => Resource, { column }: { column: string }): RowCondition => ({ named, column }),
  /**
   * Rows that belong to a record which the actor may read: the lines of a document, its signatures; by the rules of `as`, where the
   * record's own ask for more.
   */
  ofReadable: (field: string, as?: () => Resource): RowCondition => ({ field, is: 'readable', ...(as ? { as } : {}) }),
  /** Rows whose relation leads to a record of the same client that meets a condition of its own: leads, by whose they are. */
  whose: (field: string, whose: RowCondition): RowCondition => ({ field, whose }),
  /** Rows whose relation is empty. */
  nobodys: (field: string): RowCondition => ({ field, is: "nobody's" }),
  either: (...any: readonly RowCondition[]): RowCondition => ({ any }),
  both: (...all: readonly RowCondition[]): RowCondition => ({ all }),
} as const

/** The fields that a condition looks at. */
export const fieldsOf = (c: RowCondition): string[] =>
  'any' in c
    ? c.any.flatMap(fieldsOf)
    : 'all' in c
      ? c.all.flatMap(fieldsOf)
      : 'used' in c || 'named' in c
        ? []
        : [c.field]

/** What the rules leave an actor for a verb; `undefined` where nothing narrows it. */
export function ruleFor(
  rules: readonly RowRule[],
  actor: Actor,
  verb: Verb,
  { wide = false, within = false } = {},
): RowCondition | undefined {
  const bound = rules.filter(
    (rule) =>
      !(wide && rule.butWide) &&
      !(rule.withRecord && (within || !wide)) &&
      (rule.where === undefined || actor.choices?.includes(rule.where)) &&
      (rule.verbs?.includes(verb) ?? true) &&
      !hasRole(actor, rule.unless),
  )
  return bound.length > 1 ? { all: bound.map((rule) => rule.only) } : bound[0]?.only
}

/** The ways a person is written in a row: by id in relations and numbers, by name in texts; the real person's too. */
export function selves(actor: Actor, kind: string): readonly (string | number)[] {
  if (kind === 'text')
    return actor.original && actor.original.clientId === actor.clientId
      ? [actor.username, actor.original.username]
      : [actor.username]
  return [actor.userId]
}

/** Does a record meet the condition? Takes rows as well as what the API sends. */
export function meetsRule(
  r: Pick<Resource, 'fields'>,
  condition: RowCondition,
  row: Readonly<Record<string, unknown>>,
  actor: Actor,
): boolean {
  if ('any' in condition) return condition.any.some((c) => meetsRule(r, c, row, actor))
  if ('all' in condition) return condition.all.every((c) => meetsRule(r, c, row, actor))
  // What is used elsewhere, or what a related record says, is known to the server alone: whoever has the row may read it.
  if ('used' in condition || 'named' in condition || 'whose' in condition) return true
  const given = row[condition.field]
  if ('is' in condition && condition.is === 'for me')
    return Array.isArray(given) && (given.length === 0 || given.some((role) => actor.roles.includes(String(role))))
  const value = plainValue(given)
  // What belongs to a record beyond reach is never sent: whoever has the row may read it.
  if ('is' in condition && condition.is === 'readable') return value !== null
  if ('among' in condition) return value !== null && condition.among.includes(String(value)) !== Boolean(condition.not)
  if (condition.is === "nobody's") return value === null
  if (condition.is === 'off' || condition.is === 'on') return value === (condition.is === 'on')
  // To those outside of the provider, templates come without a client.
  if (condition.is === "the provider's") return String(value ?? PROVIDER) === String(PROVIDER)
  if (condition.is === "my company's") return String(value ?? PROVIDER) === String(actor.clientId)
  if (value === null) return false
  const kind = r.fields[condition.field]?.kind ?? 'integer'
  const people = condition.is === "my team's" ? [actor.userId, ...(actor.team ?? [])] : selves(actor, kind)
  return people.some((who) => String(who) === String(value)) !== (condition.is === "others'")
}

/** A relation as its id, whether it came as an id, an address or an object. */
function plainValue(value: unknown): string | number | boolean | null {
  if (value === undefined || value === null || value === '') return null
  if (typeof value === 'object') return plainValue((value as { id?: unknown }).id)
  if (typeof value === 'string' && value.startsWith('/api/')) return value.slice(value.lastIndexOf('/') + 1)
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : null
}
