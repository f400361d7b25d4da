import { RichTextView } from '#web/forms/inputs/rich-text-view.tsx'
import type { LibrarySnapshot } from '../statements/method-statement.ts'
import css from './body.module.css'

export const ChosenStatements = ({ all }: { readonly all: readonly LibrarySnapshot[] }) =>
  all.map((s) => (
    <div key={s['@id']}>
      <h3>{s.title}</h3>
      <RichTextView html={s.text} />
    </div>
  ))

export const ChosenTasks = ({ all }: { readonly all: readonly LibrarySnapshot[] }) =>
  all.length > 0 && (
    <ol className={css.tasks}>
      {all.map((t) => (
        <li key={t['@id']}>
          <strong>{t.title}</strong>
          <RichTextView html={t.text} />
        </li>
      ))}
    </ol>
  )
