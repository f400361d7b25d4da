import css from './facts.module.css'

export type LabelledFact = readonly [label: string, text: string]

/** Labelled values in as many columns as fit. Renders nothing if there are no values. */
export const FactGrid = ({ facts }: { readonly facts: readonly LabelledFact[] }) =>
  facts.length > 0 && (
    <dl className={css.facts}>
      {facts.map(([label, text], i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: several values with the same name are adjacent
        <div key={i}>
          <dt>{label}</dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  )
