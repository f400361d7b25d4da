import { Button } from '@mantine/core'
import { Link } from 'react-router'
import { toRowObjects } from '#kernel/forms/rows.ts'
import { toText } from '#kernel/text.ts'
import type { DocumentBodyProps } from '#modules/documents/types/kind.web.ts'
import { type DocumentRecord, documentPermissions } from '#modules/documents/types/record.web.ts'
import { useActor } from '#web/api/me.ts'
import { RichTextView } from '#web/forms/inputs/rich-text-view.tsx'
import css from '../shared-fields/body.module.css'
import { toLabelledFacts, UploadedFiles } from '../shared-fields/body-parts.web.tsx'
import { FactGrid } from '../shared-fields/facts.web.tsx'
import { listPolicyFunctionHolders, policy } from './policy.ts'

export default function PolicyBody(props: DocumentBodyProps) {
  const { record } = props
  const functions = listPolicyFunctionHolders(record.organisation)
  const arrangements = toRowObjects(record.arrangements)
  return (
    <div className={css.body}>
      <section>
        <h2>Statement of intent</h2>
        {toText(record.intent) ? (
          <RichTextView html={toText(record.intent)} />
        ) : (
          <p className={css.about}>No statement of intent yet.</p>
        )}
        <FactGrid
          facts={toLabelledFacts(props, [
            ['signatory', 'Signed for the company by'],
            ['jobTitle', 'Job title'],
            ['signedOn', 'Date signed'],
          ])}
        />
      </section>
      <section>
        <h2>Organisation</h2>
        {functions.length === 0 && <p className={css.about}>No functions assigned yet.</p>}
        {functions.map((one, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two rows may have the same text
          <div key={i}>
            <h3>{`${one.function}: ${one.person}`}</h3>
            <ul className={css.tasks}>
              {one.responsibilities.map((line) => (
                <li key={line}>{line}</li>
              ))}
            </ul>
          </div>
        ))}
      </section>
      <section>
        <h2>Arrangements</h2>
        {arrangements.length === 0 && <p className={css.about}>No arrangements yet.</p>}
        {arrangements.map((one, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two rows may say the same
          <div key={i}>
            <h3>{toText(one.title)}</h3>
            <RichTextView html={toText(one.text)} />
          </div>
        ))}
      </section>
      <UploadedFiles value={record.uploadedDocuments} />
    </div>
  )
}

export function PolicyReviewButton({ record }: DocumentBodyProps) {
  const actor = useActor()
  const one = record as unknown as DocumentRecord
  if (!one.current || !documentPermissions(policy, actor, one).review) return null
  return (
    <Button component={Link} variant="default" to="/sfp/safety-policy/review">
      Review or renew
    </Button>
  )
}
