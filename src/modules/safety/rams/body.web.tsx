import { toText } from '#kernel/text.ts'
import type { DocumentBodyProps } from '#modules/documents/types/kind.web.ts'
import css from '../shared-fields/body.module.css'
import { JobSection, toLabelledFacts } from '../shared-fields/body-parts.web.tsx'

export default function RamsPackBody(props: DocumentBodyProps) {
  const notes = toText(props.record.notes).trim()
  return (
    <div className={css.body}>
      {notes && <p className={css.words}>{notes}</p>}
      <JobSection
        {...props}
        title="The job"
        more={toLabelledFacts(props, [
          ['supervisor', 'Site supervisor'],
          ['telephone', 'Supervisor’s telephone'],
        ])}
      />
    </div>
  )
}
