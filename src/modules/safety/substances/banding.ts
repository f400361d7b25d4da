import data from '../../../../db/reference/coshh-banding.json' with { type: 'json' }

/** Hazard groups, least harmful first. Substances in the last group are left to experts. */
export const HAZARD_GROUPS = ['A', 'B', 'C', 'D', 'E'] as const
export type HazardGroup = (typeof HAZARD_GROUPS)[number]

export const AMOUNT_BANDS = ['small', 'medium', 'large'] as const
export type AmountBand = (typeof AMOUNT_BANDS)[number]

export const AIRBORNE_LEVELS = ['low', 'medium', 'high'] as const
export type AirborneLevel = (typeof AIRBORNE_LEVELS)[number]

export const QUANTITY_UNITS = ['g', 'kg', 't', 'ml', 'l', 'm³'] as const
const TO_BASE: Readonly<Record<string, number>> = { g: 1, kg: 1e3, t: 1e6, ml: 1, l: 1e3, 'm³': 1e6 }

/** Property that determines how readily a substance becomes airborne, as named in the scheme. */
export type AirborneProperty = 'dustiness' | 'volatility'

interface Statement {
  readonly code: string
  readonly group?: string
  readonly skin?: boolean
  readonly expert?: string
  /** "HSE" if the scheme itself ranks the statement; otherwise, the group is only our advice. */
  readonly source: string
}
interface Form {
  readonly form: string
  readonly label: string
  readonly by?: string
  readonly always?: string
  /** Name of this physical form in the message that the scheme doesn't cover the form. */
  readonly outside?: string
}

const STATEMENTS = new Map(data.statements.map((s: Statement) => [s.code, s]))
const FORM_ROWS: readonly Form[] = data.forms

export const PHYSICAL_FORMS = FORM_ROWS.map(({ form, label }) => ({ value: form, label }))

export const AIRBORNE_LEVEL_ROWS = data.levels
export const CONTROL_APPROACHES = data.controls

/** Heading of our own advice, which is not part of the HSE's scheme. */
export const OWN_ADVICE = 'Stanchion’s advice'

/** Known properties of a substance and its use. Unknown properties are omitted. */
export interface BandingInput {
  /** Hazard statements as printed in the data sheet, such as `H314`, `H350i` or `H301+H311`. */
  readonly statements: readonly string[]
  /** True if the data sheet states that the substance is not classified as hazardous to health. */
  readonly unclassified?: boolean | undefined
  readonly form?: string | null | undefined
  readonly quantity?: number | null | undefined
  readonly unit?: string | null | undefined
  readonly level?: string | null | undefined
}

/**
 * Control approach that the scheme proposes, and how it was derived. An unknown value is "?", which is never treated as
 * safe.
 */
export interface BandingResult {
  readonly group: HazardGroup | '?'
  /** True for skin or eye hazards, which are in group S. */
  readonly skin: boolean
  readonly amount: AmountBand | '?'
  readonly level: AirborneLevel | '?'
  readonly by: AirborneProperty | undefined
  readonly approach: 1 | 2 | 3 | 4 | '?'
  /** True if the proposal depends on our rule that a spray counts as highly volatile. */
  readonly ownRule: boolean
  /** Our own advice, as sentences. It never changes the scheme's proposal. */
  readonly advice: readonly string[]
  /** Reasons why the scheme leaves the decision to an expert, such as "H334: respiratory sensitiser". */
  readonly expert: readonly string[]
  /** Missing information, and reasons why the scheme doesn't apply, as sentences. */
  readonly missing: readonly string[]
  /** Derivation of the approach as a formula. */
  readonly formula: string
}

/** Splits a statement into its codes: `H301+H311` becomes two codes, `H350i` becomes H350. */
export const parseHazardStatementCodes = (written: string): string[] =>
  written
    .toUpperCase()
    .split('+')
    .map((code) => code.trim().replace(/^((?:EU)?H\d{3})[A-Z]*$/, '$1'))
    .filter(Boolean)

/** Returns true for physical and environmental hazards, which don't affect the hazard group for health. */
const isElsewhere = (code: string) =>
  /^H[24]\d\d$/.test(code) || /^EUH(0(01|06|14|18|19|29|31|32|44|59)|2(06|09|10)|401)$/.test(code)

/** Returns the amount band of a quantity; undefined if the quantity is zero or has no unit. */
export function amountBandFor(
  quantity: number | null | undefined,
  unit: string | null | undefined,
): AmountBand | undefined {
  const base = (quantity ?? 0) * (TO_BASE[unit ?? ''] ?? 0)
  if (!(base > 0) || !Number.isFinite(base)) return undefined
  return data.amounts.find(({ below }) => base < (below ?? Number.POSITIVE_INFINITY))?.amount as AmountBand
}

/**
 * Returns the relevant property of a physical form, dustiness or volatility; undefined for forms outside the scheme.
 */
export const airbornePropertyOf = (form: string | null | undefined): AirborneProperty | undefined =>
  FORM_ROWS.find((row) => row.form === form)?.by as AirborneProperty | undefined

/**
 * Returns the volatility of a liquid at the temperature of use; undefined if this temperature is not below the boiling
 * point, because the substance is then a gas.
 */
export function volatilityOf(boilingPoint: number, temperature = 20): AirborneLevel | undefined {
  if (!(boilingPoint > temperature)) return undefined
  if (boilingPoint <= 2 * temperature + 10) return 'high'
  return boilingPoint > 5 * temperature + 50 ? 'low' : 'medium'
}

const healthCodesOf = ({ statements }: BandingInput) =>
  [...new Set(statements.flatMap(parseHazardStatementCodes))].filter((code) => !isElsewhere(code))

const isRanked = ({ source }: Statement) => source.startsWith('HSE')
const worstGroup = (all: readonly Statement[]) => HAZARD_GROUPS.findLast((group) => all.some((s) => s.group === group))

/**
 * Returns the worst hazard group that the scheme assigns to the statements. The group is "?" if a statement is unknown
 * and no other statement is in group E, or if the scheme ranks none of the statements and the substance is not marked
 * as unclassified.
 */
function groupOf(use: BandingInput) {
  const codes = healthCodesOf(use)
  const listed = codes.flatMap((code) => STATEMENTS.get(code) ?? [])
  const known = listed.filter(isRanked)
  const unknown = codes.filter((code) => !STATEMENTS.has(code))
  const worst = worstGroup(known)
  const decisive = known.filter((s) => s.group === worst).map((s) => s.code)
  const expert = known.flatMap((s) => (s.expert ? [`${s.code}: ${s.expert}`] : []))
  const skin = known.some((s) => s.skin === true)
  if (unknown.length && worst !== 'E')
    return {
      group: '?',
      decisive,
      expert,
      skin,
      missing: [`No hazard group is known for ${unknown.join(', ')}.`],
    } as const
  if (worst) return { group: worst, decisive, expert, skin, missing: [] } as const
  if (use.unclassified) return { group: 'A', decisive: ['not classified'], expert, skin, missing: [] } as const
  const missing = listed.length
    ? [`COSHH Essentials has no hazard group for ${listed.map(({ code }) => code).join(', ')}.`]
    : ['There is no health hazard statement. Please check the data sheet.']
  return { group: '?', decisive, expert, skin, missing } as const
}

/**
 * Returns the dustiness or volatility of the substance; "?" if it is unknown or the scheme does not cover the physical
 * form.
 */
function levelOf({ form, level }: BandingInput) {
  const row = FORM_ROWS.find((one) => one.form === form)
  if (!row) return { level: '?', by: undefined, ownRule: false, missing: ['The physical form is unknown.'] } as const
  const by = airbornePropertyOf(form)
  const ownRule = row.always !== undefined
  if (!by) return { level: '?', by, ownRule, missing: [`COSHH Essentials does not cover ${row.outside}.`] } as const
  const known = AIRBORNE_LEVELS.find((one) => one === (row.always ?? level))
  return known
    ? ({ level: known, by, ownRule, missing: [] } as const)
    : ({ level: '?', by, ownRule, missing: [`The ${by} is unknown.`] } as const)
}

const approachFor = (group: HazardGroup, amount: AmountBand, by: AirborneProperty, level: AirborneLevel) => {
  const row = data.approaches.find((one) => one.group === group && one.amount === amount)
  const known = level !== 'medium' ? row?.[level] : by === 'dustiness' ? row?.mediumDustiness : row?.mediumVolatility
  return known as 1 | 2 | 3 | 4
}

/**
 * Returns our advice on the statements: advice on sensitisers that the scheme lacks, and the groups that we assign to
 * statements that it doesn't rank, if they are stricter.
 */
function adviceOn(
  use: BandingInput,
  group: HazardGroup | '?',
  approachOf: (group: HazardGroup) => number | undefined,
): string[] {
  const codes = healthCodesOf(use)
  const own = codes.flatMap((code) => STATEMENTS.get(code) ?? []).filter((one) => !isRanked(one))
  const worst = worstGroup(own)
  const isStricter = worst && (group === '?' || HAZARD_GROUPS.indexOf(worst) > HAZARD_GROUPS.indexOf(group))
  const approach = isStricter ? approachOf(worst) : undefined
  const because = own.filter((one) => one.group === worst).map(({ code }) => code)
  return [
    ...data.advice.filter((one) => one.statements.some((code) => codes.includes(code))).map(({ text }) => text),
    ...(isStricter
      ? [
          `COSHH Essentials does not rank ${because.join(', ')}. Treat the substance as group ${worst}${approach ? `: approach ${controlApproachLabel(approach)}` : ''}.`,
        ]
      : []),
  ]
}

/**
 * Returns the control approach that COSHH Essentials proposes for a use of a substance. The proposal is only advice:
 * the user confirms it, or chooses another approach and gives a reason.
 */
export function proposeControlApproach(use: BandingInput): BandingResult {
  const { group, decisive, expert, skin, missing: noGroup } = groupOf(use)
  const amount = amountBandFor(use.quantity, use.unit) ?? '?'
  const { level, by, ownRule, missing: noLevel } = levelOf(use)
  const special = group === 'E' || expert.length > 0
  const known = group !== '?' && amount !== '?' && level !== '?' && by
  const approach = special ? 4 : known ? approachFor(group, amount, by, level) : '?'
  const approachOf = (one: HazardGroup) =>
    one === 'E' ? 4 : amount !== '?' && level !== '?' && by ? approachFor(one, amount, by, level) : undefined
  const why = decisive.length ? ` (${decisive.join(', ')})` : ''
  const product = `Group ${group}${why} × ${amount === '?' ? 'amount ?' : `${amount} amount`} × ${level === '?' ? `${by ?? 'form'} ?` : `${level} ${by}${ownRule ? ' (a spray, by Stanchion’s rule)' : ''}`}`
  return {
    group,
    skin,
    amount,
    level,
    by,
    approach,
    ownRule: ownRule && !special,
    advice: adviceOn(use, group, approachOf),
    expert: expert.length || group !== 'E' ? expert : [`Group E${why}`],
    missing: special
      ? []
      : [...noGroup, ...(amount === '?' ? ['The amount used each time is unknown.'] : []), ...noLevel],
    formula: `${special ? `Expert advice (${expert.join('; ') || `group E${why}`}), whatever the amount` : product} = approach ${approach}`,
  }
}

/** Returns a control approach as text, such as "2, engineering control". */
export const controlApproachLabel = (approach: unknown): string => {
  const row = CONTROL_APPROACHES.find((one) => String(one.approach) === String(approach))
  return row ? `${row.approach}, ${row.label.toLowerCase()}` : '?'
}
