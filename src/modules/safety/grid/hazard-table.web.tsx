import { memo } from 'react'
import { formatIsoAsUkDate } from '#web/dates/uk-dates.ts'
import type { RiskMatrix } from '../risk-matrix/bands.ts'
import {
  formatControlTier,
  type GridHazard,
  type HazardGridRows,
  hazardLineKeyOf,
  initialRatingOf,
  residualRatingOf,
} from './grid.ts'
import css from './hazard-table.module.css'
import type { HazardLine } from './line.ts'
import { RiskMatrixContext, RiskRatingBadge } from './matrix.web.tsx'

/** Read-only list of hazards: a table, or cards on a narrow screen. */
export const HazardTable = ({ grid, matrix }: { readonly grid: HazardGridRows; readonly matrix: RiskMatrix }) => (
  <RiskMatrixContext value={matrix}>
    <table className={css.table}>
      <thead>
        <tr>
          <th scope="col">Hazard and who might be harmed</th>
          <th scope="col">Initial risk</th>
          <th scope="col">Controls</th>
          <th scope="col">Residual risk</th>
        </tr>
      </thead>
      <tbody>
        {grid.map((h, i) => (
          <HazardRow key={h.key} hazard={h} number={i + 1} />
        ))}
      </tbody>
    </table>
  </RiskMatrixContext>
)

const plannedWords = ({ plannedFor }: HazardLine) =>
  plannedFor ? ` (planned for ${formatIsoAsUkDate(plannedFor)})` : ' (planned)'

const HazardRow = memo(function HazardRow({
  hazard,
  number,
}: {
  readonly hazard: GridHazard
  readonly number: number
}) {
  const { head, controls } = hazard
  return (
    <tr>
      <th scope="row">
        <span className={css.hazard}>{`${number}. ${head.hazardName || 'Unnamed hazard'}`}</span>
        {head.description && <span className={css.about}>{head.description}</span>}
        {head.persons && <span className={css.about}>{`At risk: ${head.persons}`}</span>}
        {head.responsible && <span className={css.about}>{`Responsible: ${head.responsible}`}</span>}
      </th>
      <td data-label="Initial risk">
        <RiskRatingBadge value={initialRatingOf(hazard)} none="Not yet rated" />
      </td>
      <td data-label="Controls">
        {controls.length ? (
          <ul className={css.controls}>
            {controls.map((c) => (
              <li key={hazardLineKeyOf(c)}>
                <b>{formatControlTier(c)}</b> {c.controlName}
                {c.implemented !== 'no' && c.implementedUnknown && <i> (in place?)</i>}
                {c.implemented === 'no' && <i>{plannedWords(c)}</i>}
                {c.controlDescription && <span className={css.about}>{c.controlDescription}</span>}
              </li>
            ))}
          </ul>
        ) : (
          <span className={css.about}>No controls yet</span>
        )}
        {head.ppeReason && <p className={css.about}>{`Why PPE alone is sufficient: ${head.ppeReason}`}</p>}
      </td>
      <td data-label="Residual risk">
        <RiskRatingBadge value={residualRatingOf(hazard)} none="Not rated" />
        {head.residualReason && (
          <p className={css.about}>{`Why the residual risk is acceptable: ${head.residualReason}`}</p>
        )}
      </td>
    </tr>
  )
})
