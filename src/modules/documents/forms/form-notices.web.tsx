import { Alert, Button, Group, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type UnplacedAnswer, unplacedAnswers } from '#kernel/forms/answers.ts'
import { callApi } from '#web/api/client.ts'
import type { Autosave } from '#web/forms/schema/autosave.ts'
import { toast } from '#web/ui/toast.ts'
import type { DocumentRecord } from '../types/record.web.ts'
import { formatDocumentValue } from '../types/value-text.ts'
import type { RecordForm } from './record-form.ts'

interface Props {
  readonly record: DocumentRecord
  readonly form: RecordForm
  readonly autosave: Autosave
  readonly reopen: () => Promise<unknown>
}

/** Notices for a draft's author that a newer form is available, and that some answers no longer have a field. */
export function DraftFormNotices({ record, form, autosave, reopen }: Props) {
  const change = useMutation({
    mutationFn: async (what: 'form' | 'aside') => {
      if (!(await autosave.flush())) throw new Error('Please save your changes first.')
      if (what === 'form') await callApi('POST', `${record['@id']}/use_new_form`, {})
      else await callApi('PUT', record['@id'], { unplaced: [] })
      await reopen()
    },
    onError: (e) => toast.failed(e),
  })
  const aside = unplacedAnswers(record)
  return (
    <>
      {form.newer && (
        <Alert color="blue" title="A newer form is available" mb="md">
          {form.newer.notes && (
            <Text size="sm" fw={600} mb={4}>
              {form.newer.notes}
            </Text>
          )}
          <Text size="sm" mb="sm">
            You can continue with the current form. If you switch, your answers will move to the fields of the new form;
            answers without a field will be listed here.
          </Text>
          <Button size="xs" loading={change.isPending} onClick={() => change.mutate('form')}>
            Use new form
          </Button>
        </Alert>
      )}
      {aside.length > 0 && <Aside aside={aside} busy={change.isPending} letGo={() => change.mutate('aside')} />}
    </>
  )
}

interface AsideProps {
  readonly aside: readonly UnplacedAnswer[]
  readonly busy: boolean
  readonly letGo: () => void
}

const Aside = ({ aside, busy, letGo }: AsideProps) => (
  <Alert color="yellow" title="Answers without a field" mb="md">
    <Text size="sm" mb="sm">
      Copy the answers you still need into the form, then discard these. You can’t complete the document until you have
      discarded them.
    </Text>
    <dl>
      {aside.map((u) => (
        <div key={u.name}>
          <dt>
            <strong>{u.label}</strong>
          </dt>
          <dd>{formatDocumentValue(u, u.value)}</dd>
        </div>
      ))}
    </dl>
    <Group>
      <Button size="xs" variant="default" loading={busy} onClick={letGo}>
        Discard
      </Button>
    </Group>
  </Alert>
)
