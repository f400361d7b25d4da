import { formatInteger } from '#kernel/text.ts'
import css from './imports.module.css'

/** Counts of an import, each with its name. */
export const ImportFigures = ({ figures }: { readonly figures: readonly (readonly [string, number | null])[] }) => (
  <dl className={css.figures}>
    {figures.map(([name, n]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>{formatInteger(n ?? 0)}</dd>
      </div>
    ))}
  </dl>
)
