import { Alert, Button, Group, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type Unplaced, unplacedIn } from '#kernel/forms/take-over.ts'
import { call } from '#web/api/client.ts'
import type { Autosave } from '#web/forms/schema/autosave.ts'
import { toast } from '#web/ui/toast.ts'
import type { DocumentRecord } from '../types/record.web.ts'
import { showValue } from '../types/value-text.ts'
import type { RecordForm } from './record-form.ts'

interface Props {
  readonly record: DocumentRecord
  readonly form: RecordForm
  readonly autosave: Autosave
  readonly reopen: () => Promise<unknown>
}

/** Tells the author of a draft that there is a newer form, and which answers have no field any more. */
export function FormNotices({ record, form, autosave, reopen }: Props) {
  const change = useMutation({
    mutationFn: async (what: 'form' | 'aside') => {
      if (!(await autosave.flush())) throw new Error('Please save what you have written first.')
      if (what === 'form') await call('POST', `${record['@id']}/use_new_form`, {})
      else await call('PUT', record['@id'], { unplaced: [] })
      await reopen()
    },
    onError: (e) => toast.failed(e),
  })
  const aside = unplacedIn(record)
  return (
    <>
      {form.newer && (
        <Alert color="blue" title="There is a newer form" mb="md">
          {form.newer.notes && (
            <Text size="sm" fw={600} mb={4}>
              {form.newer.notes}
            </Text>
          )}
          <Text size="sm" mb="sm">
            You can go on with the one you began with. With the new one, what you have written goes over as far as it
            has a field for it; the rest is shown here.
          </Text>
          <Button size="xs" loading={change.isPending} onClick={() => change.mutate('form')}>
            Use the new form
          </Button>
        </Alert>
      )}
      {aside.length > 0 && <Aside aside={aside} busy={change.isPending} letGo={() => change.mutate('aside')} />}
    </>
  )
}

interface AsideProps {
  readonly aside: readonly Unplaced[]
  readonly busy: boolean
  readonly letGo: () => void
}

const Aside = ({ aside, busy, letGo }: AsideProps) => (
  <Alert color="yellow" title="This has no field in the form" mb="md">
    <Text size="sm" mb="sm">
      Copy what is still needed to where it belongs, then let the rest go. Until then the document can’t be completed.
    </Text>
    <dl>
      {aside.map((u) => (
        <div key={u.name}>
          <dt>
            <strong>{u.label}</strong>
          </dt>
          <dd>{showValue(u, u.value)}</dd>
        </div>
      ))}
    </dl>
    <Group>
      <Button size="xs" variant="default" loading={busy} onClick={letGo}>
        Let it go
      </Button>
    </Group>
  </Alert>
)
