import { deviceWords } from '../device-words.ts'
import css from './agent.module.css'

/** What somebody came with, in words; what their browser says of itself is a press away. */
export const Agent = ({ raw }: { readonly raw: string }) =>
  deviceWords(raw) === raw ? (
    raw
  ) : (
    <details className={css.agent}>
      <summary>{deviceWords(raw)}</summary>
      <code>{raw}</code>
    </details>
  )
