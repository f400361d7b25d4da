import cells from '../grid/matrix.module.css'
import { BAND_REQUIREMENTS, bandOfRisk, type RiskMatrix } from '../risk-matrix/bands.ts'
import { bandScoresText } from './draft.ts'
import css from './matrix-card.module.css'

const DOWN = [5, 4, 3, 2, 1] as const
const ACROSS = [1, 2, 3, 4, 5] as const

export function MatrixPreview({ matrix }: { readonly matrix: RiskMatrix }) {
  return (
    <figure className={css.sample} aria-label="Preview">
      <table className={css.table}>
        <caption>Probability (rows) and severity (columns)</caption>
        <thead>
          <tr>
            <td />
            {ACROSS.map((s) => (
              <th key={s} scope="col">
                <b>{s}</b> {matrix.severity[s - 1]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {DOWN.map((p) => (
            <tr key={p}>
              <th scope="row">
                <b>{p}</b> {matrix.probability[p - 1]}
              </th>
              {ACROSS.map((s) => {
                const { name, level } = bandOfRisk(matrix, p, s)
                return (
                  <td key={s}>
                    <span className={`${cells.cell} ${css.cell}`} data-level={level}>
                      <b>{p * s}</b> <span className={css.word}>{name}</span>
                    </span>
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
      <ul className={css.legend}>
        {matrix.bands.map((band, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two bands may have one name while they are typed
          <li key={i}>
            <span className={cells.rating} data-level={band.level}>
              <b>{band.name || `Band ${i + 1}`}</b>
              <span>{bandScoresText(band)}</span>
            </span>
            <span>
              {band.rule}
              {band.demands !== 'accept' && (
                <small>{` To complete: ${BAND_REQUIREMENTS.find((d) => d.value === band.demands)?.label.toLowerCase()}.`}</small>
              )}
            </span>
          </li>
        ))}
      </ul>
    </figure>
  )
}
