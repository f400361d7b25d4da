import data from '../../../../db/reference/coshh-banding.json' with { type: 'json' }

/** From what harms least to what the scheme leaves to experts. */
export const HAZARD_GROUPS = ['A', 'B', 'C', 'D', 'E'] as const
export type HazardGroup = (typeof HAZARD_GROUPS)[number]

export const AMOUNTS = ['small', 'medium', 'large'] as const
export type Amount = (typeof AMOUNTS)[number]

export const LEVELS = ['low', 'medium', 'high'] as const
export type Level = (typeof LEVELS)[number]

export const UNITS = ['g', 'kg', 't', 'ml', 'l', 'm³'] as const
const TO_BASE: Readonly<Record<string, number>> = { g: 1, kg: 1e3, t: 1e6, ml: 1, l: 1e3, 'm³': 1e6 }

/** What the scheme calls a substance's readiness to become airborne. */
export type Readiness = 'dustiness' | 'volatility'

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
  /** What it is called in a sentence that says that the scheme is not for it. */
  readonly outside?: string
}

const STATEMENTS = new Map(data.statements.map((s: Statement) => [s.code, s]))
const FORM_ROWS: readonly Form[] = data.forms

/** The physical forms, as choices. */
export const FORMS = FORM_ROWS.map(({ form, label }) => ({ value: form, label }))

export const LEVEL_ROWS = data.levels
export const CONTROLS = data.controls

/** What is known of a substance and of how it is used. Whatever is not known is left out. */
export interface Use {
  /** Hazard statements, as the data sheet has them: `H314`, `H350i`, `H301+H311`. */
  readonly statements: readonly string[]
  /** The data sheet says that it is not classified as hazardous to health. */
  readonly unclassified?: boolean | undefined
  readonly form?: string | null | undefined
  /** How much is used at once, and in which unit. */
  readonly quantity?: number | null | undefined
  readonly unit?: string | null | undefined
  readonly level?: string | null | undefined
}

/** What the scheme proposes. What it can't say is "?", which is never safe. */
export interface Banding {
  readonly group: HazardGroup | '?'
  /** It harms through the skin or the eyes too: group S. */
  readonly skin: boolean
  readonly amount: Amount | '?'
  readonly level: Level | '?'
  readonly by: Readiness | undefined
  readonly approach: 1 | 2 | 3 | 4 | '?'
  /** Why an expert decides, if one does: "H334: respiratory sensitiser". */
  readonly expert: readonly string[]
  /** What is missing, or not the scheme's to say; in sentences. */
  readonly missing: readonly string[]
  /** How it comes about, as a formula. */
  readonly formula: string
}

/** The single statements of one as it is written: `H301+H311` is two, `H350i` is H350. */
export const codesIn = (written: string): string[] =>
  written
    .toUpperCase()
    .split('+')
    .map((code) => code.trim().replace(/^((?:EU)?H\d{3})[A-Z]*$/, '$1'))
    .filter(Boolean)

/** Physical and environmental hazards, which say nothing about health. */
const isElsewhere = (code: string) =>
  /^H[24]\d\d$/.test(code) || /^EUH(0(01|06|14|18|19|29|31|32|44|59)|2(06|09|10)|401)$/.test(code)

/** The amount that a quantity is; none for nothing, and for what has no unit. */
export function amountOf(quantity: number | null | undefined, unit: string | null | undefined): Amount | undefined {
  const base = (quantity ?? 0) * (TO_BASE[unit ?? ''] ?? 0)
  if (!(base > 0) || !Number.isFinite(base)) return undefined
  return data.amounts.find(({ below }) => base < (below ?? Number.POSITIVE_INFINITY))?.amount as Amount
}

/** What the scheme looks at for a form: its dustiness or its volatility. None for a form that it is not for. */
export const readinessOf = (form: string | null | undefined): Readiness | undefined =>
  FORM_ROWS.find((row) => row.form === form)?.by as Readiness | undefined

/** How readily a liquid evaporates at a temperature of use; none for what boils there, and is a gas. */
export function volatilityOf(boilingPoint: number, temperature = 20): Level | undefined {
  if (!(boilingPoint > temperature)) return undefined
  if (boilingPoint <= 2 * temperature + 10) return 'high'
  return boilingPoint > 5 * temperature + 50 ? 'low' : 'medium'
}

/** Where statements put a substance: the worst of their groups; "?" where one is unknown, and where there is none. */
function groupOf({ statements, unclassified }: Use) {
  const codes = [...new Set(statements.flatMap(codesIn))].filter((code) => !isElsewhere(code))
  const known = codes.flatMap((code) => STATEMENTS.get(code) ?? [])
  const unknown = codes.filter((code) => !STATEMENTS.has(code))
  const worst = HAZARD_GROUPS.findLast((group) => known.some((s) => s.group === group))
  const decisive = known.filter((s) => s.group === worst).map((s) => s.code)
  const expert = known.flatMap((s) => (s.expert ? [`${s.code}: ${s.expert}`] : []))
  const skin = known.some((s) => s.skin === true)
  if (unknown.length && worst !== 'E')
    return { group: '?', decisive, expert, skin, missing: [`${unknown.join(', ')} is in no hazard group.`] } as const
  if (worst) return { group: worst, decisive, expert, skin, missing: [] } as const
  if (unclassified) return { group: 'A', decisive: ['not classified'], expert, skin, missing: [] } as const
  const missing = ['There is no hazard statement about health: look into the data sheet.']
  return { group: '?', decisive, expert, skin, missing } as const
}

/** How it becomes airborne, as far as the scheme can say. */
function levelOf({ form, level }: Use) {
  const row = FORM_ROWS.find((one) => one.form === form)
  if (!row) return { level: '?', by: undefined, missing: ['The physical form is not known.'] } as const
  const by = readinessOf(form)
  if (!by) return { level: '?', by, missing: [`COSHH Essentials is not for ${row.outside}.`] } as const
  const known = LEVELS.find((one) => one === (row.always ?? level))
  return known
    ? ({ level: known, by, missing: [] } as const)
    : ({ level: '?', by, missing: [`The ${by} is not known.`] } as const)
}

const approachFor = (group: HazardGroup, amount: Amount, by: Readiness, level: Level) => {
  const row = data.approaches.find((one) => one.group === group && one.amount === amount)
  const known = level !== 'medium' ? row?.[level] : by === 'dustiness' ? row?.mediumDustiness : row?.mediumVolatility
  return known as 1 | 2 | 3 | 4
}

/**
 * The control approach that COSHH Essentials proposes for a use of a substance. It decides nothing: an assessor confirms it, or says
 * why another will do.
 */
export function bandingOf(use: Use): Banding {
  const { group, decisive, expert, skin, missing: noGroup } = groupOf(use)
  const amount = amountOf(use.quantity, use.unit) ?? '?'
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
      : [...noGroup, ...(amount === '?' ? ['The amount that is used at once is not known.'] : []), ...noLevel],
    formula: `${special ? `Expert advice (${expert.join('; ') || `group E${why}`}), whatever the amount` : product} = approach ${approach}`,
  }
}

/** An approach in words: "2, engineering control". */
export const approachName = (approach: unknown): string => {
  const row = CONTROLS.find((one) => String(one.approach) === String(approach))
  return row ? `${row.approach}, ${row.label.toLowerCase()}` : '?'
}
