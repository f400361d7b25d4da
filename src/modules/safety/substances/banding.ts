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
  readonly group: string
  readonly skin?: boolean
  readonly expert?: string
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
  /** Reasons why an expert must decide, such as "H334: respiratory sensitiser". */
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

/**
 * Returns the worst hazard group of the statements. The group is "?" if a statement's group is unknown and no other is
 * in group E, or if there are no health hazard statements and the substance is not marked as unclassified.
 */
function groupOf({ statements, unclassified }: BandingInput) {
  const codes = [...new Set(statements.flatMap(parseHazardStatementCodes))].filter((code) => !isElsewhere(code))
  const known = codes.flatMap((code) => STATEMENTS.get(code) ?? [])
  const unknown = codes.filter((code) => !STATEMENTS.has(code))
  const worst = HAZARD_GROUPS.findLast((group) => known.some((s) => s.group === group))
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
  if (unclassified) return { group: 'A', decisive: ['not classified'], expert, skin, missing: [] } as const
  const missing = ['There is no health hazard statement. Please check the data sheet.']
  return { group: '?', decisive, expert, skin, missing } as const
}

/**
 * Returns the dustiness or volatility of the substance; "?" if it is unknown or the scheme does not cover the physical
 * form.
 */
function levelOf({ form, level }: BandingInput) {
  const row = FORM_ROWS.find((one) => one.form === form)
  if (!row) return { level: '?', by: undefined, missing: ['The physical form is unknown.'] } as const
  const by = airbornePropertyOf(form)
  if (!by) return { level: '?', by, missing: [`COSHH Essentials does not cover ${row.outside}.`] } as const
  const known = AIRBORNE_LEVELS.find((one) => one === (row.always ?? level))
  return known
    ? ({ level: known, by, missing: [] } as const)
    : ({ level: '?', by, missing: [`The ${by} is unknown.`] } as const)
}

const approachFor = (group: HazardGroup, amount: AmountBand, by: AirborneProperty, level: AirborneLevel) => {
  const row = data.approaches.find((one) => one.group === group && one.amount === amount)
  const known = level !== 'medium' ? row?.[level] : by === 'dustiness' ? row?.mediumDustiness : row?.mediumVolatility
  return known as 1 | 2 | 3 | 4
}

/**
 * Returns the control approach that COSHH Essentials proposes for a use of a substance. The proposal is only advice:
 * the user confirms it, or chooses another approach and gives a reason.
 */
export function proposeControlApproach(use: BandingInput): BandingResult {
  const { group, decisive, expert, skin, missing: noGroup } = groupOf(use)
  const amount = amountBandFor(use.quantity, use.unit) ?? '?'
  const { level, by, missing: noLevel } = levelOf(use)
  const special = group === 'E' || expert.length > 0
  const known = group !== '?' && amount !== '?' && level !== '?' && by
  const approach = special ? 4 : known ? approachFor(group, amount, by, level) : '?'
  const why = decisive.length ? ` (${decisive.join(', ')})` : ''
  const product = `Group ${group}${why} × ${amount === '?' ? 'amount ?' : `${amount} amount`} × ${level === '?' ? `${by ?? 'form'} ?` : `${level} ${by}`}`
  return {
    group,
    skin,
    amount,
    level,
    by,
    approach,
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
