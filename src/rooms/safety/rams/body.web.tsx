import { textOf } from '#kernel/text.ts'
import type { BodyProps } from '#rooms/documents/offers.web.tsx'
import css from '../job/body.module.css'
import { factsIn, JobSection } from '../job/body-parts.web.tsx'

/** What a pack says before its papers, which stand beneath it. */
export default function RamsBody(props: BodyProps) {
  const notes = textOf(props.record.notes).trim()
  return (
    <div className={css.body}>
      {notes && <p className={css.words}>{notes}</p>}
      <JobSection
        {...props}
        title="The job"
        more={factsIn(props, [
          ['supervisor', 'In charge on site'],
          ['telephone', 'Their telephone'],
        ])}
      />
    </div>
  )
}
