import { Button, Text } from '@mantine/core'
import { useState } from 'react'
import { useActor } from '#web/api/me.ts'
import { DateField } from '#web/dates/date-field.tsx'
import { londonToday } from '#web/dates/uk-dates.ts'
import { Dialog, DialogActions } from '#web/ui/dialog.tsx'
import { FormErrorText } from '#web/ui/error-text.tsx'
import { errorSentence, toast } from '#web/ui/toast.ts'
import css from '../printing/dialogs.module.css'
import { useReviewMonths } from '../settings/kinds.web.ts'
import type { DocumentKind } from '../types/kind.ts'
import { type DocumentRecord, documentPermissions, useUpdateCompletedDocument } from '../types/record.web.ts'
import { ReviewDueDate } from './due.web.tsx'
import { reviewReasons } from './request-review.ts'

interface Props {
  readonly kind: DocumentKind
  readonly record: DocumentRecord
  readonly says?: string | undefined
  readonly onClose: () => void
  readonly onRevise: () => void
}

/** Dialog to review a document: mark it as reviewed or start the next revision. */
export default function ReviewDialog({ kind, record, says, onClose, onRevise }: Props) {
  const mark = useUpdateCompletedDocument(kind)
  const may = documentPermissions(kind, useActor(), record)
  const [failure, setFailure] = useState<string>()
  const next = Temporal.PlainDate.from(londonToday())
    .add({ months: useReviewMonths(kind, record) })
    .toString()
  /** Undefined until a date is chosen. */
  const [chosen, setChosen] = useState<string | null>()
  const due = chosen === undefined ? next : chosen
  const set = async (reviewed: boolean) => {
    setFailure(undefined)
    const dated = reviewed && record.current && may.review && due ? { reviewDue: due } : {}
    try {
      await mark.mutateAsync({ id: record.id, values: { reviewed, ...dated } })
      toast.info(reviewed ? `${record.documentNumber} marked as reviewed` : 'Document marked as not reviewed', 'safe')
      onClose()
    } catch (e) {
      setFailure(errorSentence(e))
    }
  }
  return (
    <Dialog opened onClose={onClose} title={`Review ${record.documentNumber} revision ${record.revision}`} size="36rem">
      <Text mb="sm">
        {says ??
          `Walk through the job with this ${kind.noun}. Does it list everything that could cause harm, and is everything in it being done?`}
      </Text>
      <Text>
        Review due: <ReviewDueDate record={record} />
        {record.reviewed && '. The document has been marked as reviewed.'}
      </Text>
      {reviewReasons(record).map((reason) => (
        <Text key={reason} mt="xs">{`Review requested: ${reason}`}</Text>
      ))}
      {record.current && !record.reviewed && may.review && (
        <div className={css.next}>
          <DateField label="Next review" value={due} onChange={setChosen} min={londonToday()} />
        </div>
      )}
      {failure && <FormErrorText mt="sm">{failure}</FormErrorText>}
      <DialogActions>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        {may.revise && (
          <Button variant="default" onClick={onRevise}>
            Changes needed: revise
          </Button>
        )}
        {may.review && (
          <Button loading={mark.isPending} onClick={() => void set(!record.reviewed)}>
            {record.reviewed ? 'Mark as not reviewed' : 'No changes needed: mark as reviewed'}
          </Button>
        )}
      </DialogActions>
    </Dialog>
  )
}
