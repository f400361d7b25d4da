import { memo } from 'react'
import { riddorSeverityNote } from '../risk-matrix/bands.ts'
import {
  calculateRiskScore,
  countRiskRatings,
  type HazardGridRows,
  initialRatingOf,
  type RiskRating,
  residualRatingOf,
} from './grid.ts'
import css from './matrices.module.css'
import { RiskMatrixTable, useRiskMatrix } from './matrix.web.tsx'
import type { RiskRatingKind } from './state.web.ts'

interface Filter {
  readonly which: RiskRatingKind
  readonly at: RiskRating
}

interface Props {
  readonly grid: HazardGridRows
  readonly filter: Filter | undefined
  readonly onFilter: (filter: Filter | undefined) => void
}

const SIDES = [
  { which: 'initial', title: 'Initial risk', of: initialRatingOf },
  { which: 'residual', title: 'Residual risk', of: residualRatingOf },
] as const

/**
 * Two risk matrices, before and after controls, with the number of hazards in each cell. Selecting a cell filters the
 * hazards.
 */
export const RiskMatrices = memo(
  function RiskMatrices({ grid, filter, onFilter }: Props) {
    const matrix = useRiskMatrix()
    const { bands } = matrix
    const note = riddorSeverityNote(matrix)
    return (
      <div className={css.matrices}>
        {SIDES.map(({ which, title, of }) => {
          const judged = grid.flatMap((h) => of(h) ?? [])
          const words = bands.map((b) => {
            const n = judged.filter((j) => calculateRiskScore(j) >= b.from && calculateRiskScore(j) <= b.to).length
            return `${b.name} ${n}`
          })
          const left = grid.length - judged.length
          return (
            <div key={which}>
              <h3 className={css.matrixTitle}>{title}</h3>
              <RiskMatrixTable
                label={`${title}: number of hazards`}
                counts={countRiskRatings(grid, of)}
                chosen={filter?.which === which ? filter.at : undefined}
                onChoose={(at) =>
                  onFilter(
                    filter?.which === which &&
                      filter.at.probability === at.probability &&
                      filter.at.severity === at.severity
                      ? undefined
                      : { which, at },
                  )
                }
              />
              <p className={css.legend}>{`${words.join(' · ')}${left ? ` · Not yet rated ${left}` : ''}`}</p>
            </div>
          )
        })}
        {note && <p className={css.note}>{note}</p>}
      </div>
    )
  },
  // Prevents the matrices from re-rendering while the user types text.
  (a, b) => a.filter === b.filter && a.onFilter === b.onFilter && chosenOf(a.grid) === chosenOf(b.grid),
)

const chosenOf = (grid: HazardGridRows) =>
  grid
    .map(
      ({ head: h }) =>
        `${h.judged ? `${h.probability}${h.severity}` : '-'}${h.residualProbability}${h.residualSeverity}`,
    )
    .join()
