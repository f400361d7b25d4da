import type { RowOf } from '#kernel/resource.ts'
import type { BodyPartRule, lookups, RiddorRules } from '../lookups/lookup.ts'
import type { referenceConfirmation } from './reference-confirmation.ts'

type LookupName = keyof typeof lookups
type BodyPart = Pick<RowOf<(typeof lookups)['bodyParts']>, 'hseCode' | 'description'>

/** Titles of the lists on the page “Composed reference”. */
export const LIST_TITLES: Readonly<Record<LookupName, string>> = {
  jobClasses: 'Job classes',
  kinds: 'Kinds of accident',
  mainFactors: 'Main factors',
  workProcesses: 'Work processes',
  mainIndustries: 'Main industries',
  categories: 'Kinds of incident',
  injuries: 'Injuries, and the parts of the body that they can affect',
  severities: 'Severities',
  bodyParts: 'Parts of the body',
  injuryEffects: 'Effects of an injury',
  dangerousOccurrences: 'Dangerous occurrences',
  rectificationStatuses: 'Statuses of corrective actions',
  addressTypes: 'Types of address',
}

/** Row of any list, as stored. */
export interface ComposedRow {
  readonly id: number
  readonly description: string
  readonly composed: boolean
  readonly name?: string
  readonly part?: number
  readonly paragraph?: string
  readonly confidence?: string
  readonly hseCode?: number
  readonly region?: string
  readonly basis?: string
  readonly riddorRules?: RiddorRules
}

/** Returns everything about a row that a competent person confirms. */
export function describeComposedRow(row: ComposedRow, parts: readonly BodyPart[]): string {
  const { description, name, part, paragraph, confidence, hseCode, region, basis, riddorRules } = row
  return [
    name && name !== description ? `${name}: ${description}` : description,
    ...(part === undefined ? [] : [`Schedule 2, part ${part}${paragraph ? `, paragraph ${paragraph}` : ''}`]),
    ...(confidence ? [`Our confidence in the paragraph: ${confidence}`] : []),
    ...(hseCode === undefined ? [] : [`Code ${hseCode}${region ? `, ${region}` : ''}`]),
    ...(riddorRules ? describeRules(riddorRules, parts) : []),
    ...(basis ? [`Basis: ${basis}`] : []),
  ].join('\n')
}

function describeRules(rules: RiddorRules, parts: readonly BodyPart[]): string[] {
  const names = new Map(parts.map(({ hseCode, description }) => [hseCode, description]))
  const say = (rule: BodyPartRule, codes: readonly number[]) => {
    const listed = codes.map((code) => names.get(code) ?? `code ${code}`).join(', ')
    return { all: 'all parts', none: 'no part', allow: `only ${listed}`, deny: `all but ${listed}` }[rule]
  }
  return [
    `Fatal: ${say(rules.fatalRule, rules.fatalBodyParts)}`,
    `Specified injury: ${say(rules.majorRule, rules.majorBodyParts)}`,
    `More than seven days: ${say(rules.sevenDayRule, rules.sevenDayBodyParts)}`,
    `Member of the public: ${say(rules.mopRule, rules.mopBodyParts)}`,
  ]
}

type Confirmation = Pick<RowOf<typeof referenceConfirmation>, 'list' | 'row' | 'wording' | 'withdrawal'>

/**
 * Returns the confirmation that is in force for a row: the latest entry, unless it is a withdrawal or the wording has
 * changed since. `entries`: newest first.
 */
export const findConfirmationInForce = <C extends Confirmation>(
  entries: readonly C[],
  list: string,
  row: number,
  wording: string,
): C | undefined => {
  const latest = entries.find((one) => one.list === list && one.row === row)
  return latest && !latest.withdrawal && latest.wording === wording ? latest : undefined
}
