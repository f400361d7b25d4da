import { RichTextView } from '#web/forms/inputs/rich-text-view.tsx'
import layout from '#web/ui/page.module.css'
import css from './contracts.module.css'

interface Props {
  readonly contract: { readonly number: string; readonly title: string; readonly body: string; readonly digest: string }
}

/** The whole text of a contract, with the digest that a signature states. */
export const ContractSheet = ({ contract: { number, title, body, digest } }: Props) => (
  <article className={layout.card} aria-label={title}>
    <div className={css.sheet}>
      <RichTextView html={body} />
    </div>
    <p className={css.digest}>{`End of contract ${number}. Digest of this text: ${digest}`}</p>
  </article>
)
