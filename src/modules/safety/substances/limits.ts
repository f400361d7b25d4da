import { toText } from '#kernel/text.ts'
import data from '../../../../db/reference/exposure-limits.json' with { type: 'json' }

/** Workplace exposure limit, from EH40 or from a data sheet. */
export interface ExposureLimit {
  readonly agent: string
  readonly longPpm?: number | null
  readonly longMgM3?: number | null
  readonly shortPpm?: number | null
  readonly shortMgM3?: number | null
  readonly notes?: string | null
  readonly source?: string | null
  readonly confidence?: string | null
  /** True if no data sheet states that the limit applies to the product. The limit is then only assumed to apply. */
  readonly composed?: boolean | null
}

export const LIMIT_CONFIDENCE_OPTIONS = [
  { value: 'high', label: 'High' },
  { value: 'medium', label: 'Medium' },
  { value: 'low', label: 'Low' },
] as const

const EH40 = 'EH40/2005, 4th edition (2020)'

const flagged = (row: (typeof data.limits)[number]) =>
  [
    'skin' in row && row.skin && 'Sk: absorbed through the skin',
    'carcinogen' in row && row.carcinogen && 'Carc',
    'sensitiser' in row && row.sensitiser && 'Sen',
    'notes' in row && row.notes,
  ]
    .filter(Boolean)
    .join('. ')

export const KNOWN_EXPOSURE_LIMITS: readonly ExposureLimit[] = data.limits.map((row) => ({
  agent: row.agent,
  longPpm: 'longPpm' in row ? row.longPpm : null,
  longMgM3: 'longMgM3' in row ? row.longMgM3 : null,
  shortPpm: 'shortPpm' in row ? row.shortPpm : null,
  shortMgM3: 'shortMgM3' in row ? row.shortMgM3 : null,
  notes: flagged(row),
  source: EH40,
  confidence: row.confidence,
  composed: false,
}))

const figures = (ppm: unknown, mg: unknown) =>
  [
    [ppm, 'ppm'],
    [mg, 'mg/m³'],
  ]
    .flatMap(([n, unit]) => (n === null || n === undefined || n === '' ? [] : [`${toText(n)} ${toText(unit)}`]))
    .join(', ')

/** Returns a limit as text, such as "8 hours: 20 ppm, 37 mg/m³; 15 minutes: 50 ppm, 92 mg/m³". */
export function formatExposureLimit({ longPpm, longMgM3, shortPpm, shortMgM3 }: ExposureLimit): string {
  const [long, short] = [figures(longPpm, longMgM3), figures(shortPpm, shortMgM3)]
  return [long && `8 hours: ${long}`, short && `15 minutes: ${short}`].filter(Boolean).join('; ') || 'No limit value'
}

/**
 * Returns a limit's source as text, such as "EH40/2005, 4th edition (2020)", and whether the data sheet confirms that the
 * limit applies.
 */
export const formatExposureLimitSource = ({ source, composed }: ExposureLimit): string =>
  [toText(source).trim() || 'source not entered', composed ? 'not yet checked against the data sheet' : '']
    .filter(Boolean)
    .join(', ')
