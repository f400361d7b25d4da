import css from './facts.module.css'

/** What something is called, and what it says. */
export type Fact = readonly [label: string, text: string]

/** What is said of a record, as many beside each other as there is room for; nothing where nothing is. */
export const Facts = ({ facts }: { readonly facts: readonly Fact[] }) =>
  facts.length > 0 && (
    <dl className={css.facts}>
      {facts.map(([label, text], i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: several of one name stand one after the other
        <div key={i}>
          <dt>{label}</dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  )
