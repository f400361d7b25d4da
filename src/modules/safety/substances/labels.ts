import data from '../../../../db/reference/ghs-clp.json' with { type: 'json' }

interface Statement {
  readonly code: string
  readonly text: string
  readonly pictograms?: readonly string[]
  readonly signal?: string
}

/** Hazard statements, precautionary statements and pictograms of GB CLP. */
export const HAZARD_STATEMENTS: readonly Statement[] = data.hazardStatements
export const PRECAUTIONARY_STATEMENTS: readonly Statement[] = data.precautionaryStatements
export const PICTOGRAMS = data.pictograms

export const SIGNAL_WORDS = ['Danger', 'Warning'] as const

const TEXTS = new Map([...HAZARD_STATEMENTS, ...PRECAUTIONARY_STATEMENTS].map((s) => [s.code, s]))

/**
 * Returns a statement as printed on a label, such as "H314 Causes severe skin burns and eye damage". Returns codes that
 * are not in CLP unchanged.
 */
export const clpStatementText = (code: string): string => {
  const text = TEXTS.get(code)?.text
  return text ? `${code} ${text}` : code
}

/** Returns the name of a pictogram, such as "Corrosion". */
export const pictogramName = (code: string): string => PICTOGRAMS.find((p) => p.code === code)?.name ?? code

const IRRITATES = ['H315', 'H319']
const SENSITISES = ['H317']

/**
 * Returns the signal word and the pictograms for hazard statements. Omits pictograms that are superseded by a more
 * severe one (CLP, Article 26).
 */
export function clpLabelForStatements(codes: readonly string[]): {
  readonly pictograms: string[]
  readonly signalWord: (typeof SIGNAL_WORDS)[number] | null
} {
  const known = codes.flatMap((code) => TEXTS.get(code) ?? [])
  const shown = new Set(known.flatMap((s) => s.pictograms ?? []))
  const covered = new Set([
    ...(shown.has('GHS05') ? IRRITATES : []),
    ...(codes.includes('H334') ? [...IRRITATES, ...SENSITISES] : []),
  ])
  const milder = known.filter((s) => s.pictograms?.includes('GHS07'))
  if (shown.has('GHS06') || milder.every((s) => covered.has(s.code))) shown.delete('GHS07')
  return {
    pictograms: [...shown].sort(),
    signalWord: SIGNAL_WORDS.find((word) => known.some((s) => s.signal === word)) ?? null,
  }
}
