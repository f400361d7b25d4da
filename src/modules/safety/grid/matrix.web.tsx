import { createContext, type KeyboardEvent, useContext, useRef } from 'react'
import { bandForRisk, DEFAULT_RISK_MATRIX, type RiskMatrix } from '../risk-matrix/bands.ts'
import type { RiskRating } from './grid.ts'
import css from './matrix.module.css'

/** Risk matrix of the current document: axis names and bands. */
export const RiskMatrixContext = createContext<RiskMatrix>(DEFAULT_RISK_MATRIX)

export const useRiskMatrix = (): RiskMatrix => useContext(RiskMatrixContext)

const DOWN = [5, 4, 3, 2, 1] as const
const ACROSS = [1, 2, 3, 4, 5] as const

/** Abbreviates a band name. For example, “Very high” becomes “VH”. */
const shortOf = (name: string) =>
  name
    .split(/\s+/)
    .map((word) => word.charAt(0).toUpperCase())
    .join('')
    .slice(0, 2)

interface Props {
  readonly label: string
  /** Number of hazards per rating. If undefined, the matrix is used to choose a rating. */
  readonly counts?: ReadonlyMap<string, number>
  readonly chosen: RiskRating | undefined
  readonly onChoose: (j: RiskRating) => void
}

/**
 * Risk matrix: probability down, severity across, each cell with its band's colour and name. The matrix is a single Tab
 * stop; arrow keys move between cells. To choose a rating, its probability and severity can also be typed.
 */
export function RiskMatrixTable({ label, counts, chosen, onChoose }: Props) {
  const matrix = useRiskMatrix()
  const { probability: likely, severity: severe } = matrix
  const root = useRef<HTMLDivElement>(null)
  const first = chosen ? `${chosen.probability}${chosen.severity}` : '55'
  /** Probability that was typed, until the severity follows. */
  const typed = useRef<number>(undefined)
  const onKeyDown = (e: KeyboardEvent) => {
    if (!counts && /^[1-5]$/.test(e.key) && !e.ctrlKey && !e.metaKey && !e.altKey) {
      e.preventDefault()
      e.stopPropagation()
      const digit = Number(e.key)
      if (typed.current) return onChoose({ probability: typed.current, severity: digit })
      typed.current = digit
      return root.current?.querySelector<HTMLElement>(`[data-at="${digit}${chosen?.severity ?? 1}"]`)?.focus()
    }
    const at = e.target instanceof HTMLElement ? e.target.dataset.at : undefined
    const by = { ArrowUp: [1, 0], ArrowDown: [-1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[e.key]
    if (!at || !by) return
    e.preventDefault()
    e.stopPropagation()
    const [p, s] = [Number(at[0]) + (by[0] as number), Number(at[1]) + (by[1] as number)]
    root.current?.querySelector<HTMLElement>(`[data-at="${p}${s}"]`)?.focus()
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a group of buttons, not of fields
    <div
      ref={root}
      className={css.matrix}
      data-counts={counts ? true : undefined}
      role="group"
      aria-label={label}
      onKeyDown={onKeyDown}
    >
      {DOWN.flatMap((p) => [
        <span key={`p${p}`} className={css.down} aria-hidden>
          <b>{p}</b> <span>{likely[p - 1]}</span>
        </span>,
        ...ACROSS.map((s) => {
          const n = counts?.get(`${p}${s}`) ?? 0
          const here = chosen?.probability === p && chosen.severity === s
          const { name, level } = bandForRisk(matrix, p, s)
          const words = `${counts ? n : p * s} ${name}: probability ${p}, ${likely[p - 1]}; severity ${s}, ${severe[s - 1]}`
          return (
            <button
              key={`${p}${s}`}
              type="button"
              className={css.cell}
              data-at={`${p}${s}`}
              data-level={level}
              data-empty={(counts && n === 0) || undefined}
              data-editor={!counts && `${p}${s}` === first ? '' : undefined}
              tabIndex={`${p}${s}` === first ? 0 : -1}
              aria-pressed={here}
              aria-label={words}
              title={words}
              onClick={() => onChoose({ probability: p, severity: s })}
            >
              <span className={css.count} data-short={shortOf(name)}>
                {counts ? n || '' : p * s}
              </span>{' '}
              <span className={css.word}>{name}</span>
            </button>
          )
        }),
      ])}
      <span className={css.corner} aria-hidden>
        Probability ↑ Severity →
      </span>
      {ACROSS.map((s) => (
        <span key={`s${s}`} className={css.across} aria-hidden>
          <b>{s}</b> <span>{severe[s - 1]}</span>
        </span>
      ))}
    </div>
  )
}

/** Rating shown like a matrix cell, with the name of its band. */
export function RiskRatingBadge({ value, none }: { readonly value: RiskRating | undefined; readonly none: string }) {
  const matrix = useRiskMatrix()
  if (!value) return <span className={css.none}>{none}</span>
  const { probability, severity } = value
  const { name, level } = bandForRisk(matrix, probability, severity)
  return (
    <span className={css.rating} data-level={level}>
      <b>{`${probability} × ${severity} = ${probability * severity}`}</b>
      <span>{name}</span>
    </span>
  )
}
