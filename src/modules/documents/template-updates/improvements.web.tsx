import { Button, Checkbox } from '@mantine/core'
import { IconPencil } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { callApi } from '#web/api/client.ts'
import { Dialog, DialogActions } from '#web/ui/dialog.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { StatusChip } from '#web/ui/status-chip.tsx'
import { toast } from '#web/ui/toast.ts'
import { ComparisonHeadings, FieldChange } from '../comparison/changes.web.tsx'
import { compareRevisions } from '../comparison/differences.ts'
import { document } from '../types/document.ts'
import type { DocumentTypeComponents } from '../types/kind.web.ts'
import { type DocumentRecord, useRefetchDocument } from '../types/record.web.ts'
import { type TemplateUpdates, templateUpdatesQueryOptions } from './improvement-query.web.ts'
import css from './improvements.module.css'
import type { TemplateChange } from './three-way.ts'

interface Props {
  readonly parts: DocumentTypeComponents
  readonly record: DocumentRecord
  readonly found: TemplateUpdates
  readonly onClose: () => void
}

/** Dialog that shows a template's changes beside the copy's own text. Each change can be accepted or ignored. */
export default function TemplateUpdatesDialog({ parts, record, found, onClose }: Props) {
  const { kind } = parts
  const { template, changes, draft } = found
  const [taken, setTaken] = useState<ReadonlySet<string>>(
    () => new Set(changes.flatMap(({ key, own }) => (own ? [] : [key]))),
  )
  const navigate = useNavigate()
  const queries = useQueryClient()
  const refresh = useRefetchDocument(kind)
  const decide = useMutation({
    mutationFn: (keys: readonly string[]) =>
      callApi<DocumentRecord>('POST', `${document.url}/${record.id}/take_improvements`, {
        template: template?.['@id'],
        keys,
      }),
    onSuccess: async (decided, keys) => {
      await refresh(decided)
      await queries.invalidateQueries({ queryKey: templateUpdatesQueryOptions(record.id).queryKey })
      onClose()
      if (keys.length) {
        toast.info(`${keys.length} of ${changes.length} changes added to the draft`, 'safe')
        await navigate(`${kind.screens.update}/${decided.id}${stepOf(kind, changes, keys)}`)
      } else toast.info('No changes made. You will be notified of later updates.', 'safe')
    },
    onError: (e) => {
      toast.failed(e)
      void queries.invalidateQueries({ queryKey: templateUpdatesQueryOptions(record.id).queryKey })
    },
  })
  const toggle = (key: string) =>
    setTaken(new Set(taken.has(key) ? [...taken].filter((one) => one !== key) : [...taken, key]))
  const into = draft ? `the draft, revision ${draft}` : 'the next draft'
  return (
    <Dialog opened onClose={onClose} title={`Changes in “${template?.title ?? ''}”`}>
      {changes.length === 0 ? (
        <EmptyState title="No changes for this document">
          This document already has all changes, or doesn’t contain the parts that were changed.
        </EmptyState>
      ) : (
        <>
          <p
            className={css.lead}
          >{`The changes you select will be added to ${into}. The rest of your document will not change.`}</p>
          <ComparisonHeadings sides={['Yours', 'With the change']} />
          <ul className={css.changes}>
            {changes.map((change) => (
              <Change
                key={change.key}
                {...{ parts, change }}
                taken={taken.has(change.key)}
                toggle={() => toggle(change.key)}
              />
            ))}
          </ul>
        </>
      )}
      <DialogActions>
        <Button variant="default" disabled={decide.isPending} onClick={() => decide.mutate([])}>
          Ignore all
        </Button>
        {changes.length > 0 && (
          <Button disabled={!taken.size} loading={decide.isPending} onClick={() => decide.mutate([...taken])}>
            {`Accept ${taken.size} of ${changes.length}`}
          </Button>
        )}
      </DialogActions>
    </Dialog>
  )
}

/** Returns the step of the first change, at which the draft opens. */
function stepOf(
  { schema }: DocumentTypeComponents['kind'],
  changes: readonly TemplateChange[],
  keys: readonly string[],
): string {
  const fields = new Set(changes.filter(({ key }) => keys.includes(key)).map(({ field }) => field))
  const step = schema.steps.find((s) => s.groups.some((g) => g.fields.some(({ name }) => fields.has(name))))
  return step ? `?step=${step.name}` : ''
}

interface ChangeProps {
  readonly parts: DocumentTypeComponents
  readonly change: TemplateChange
  readonly taken: boolean
  readonly toggle: () => void
}

function Change({ parts: { kind, compare }, change, taken, toggle }: ChangeProps) {
  const { field, before, after, own } = change
  const [found] = compareRevisions(kind, { [field]: before }, { [field]: after }, compare)
  const rows = found && 'rows' in found ? found.rows.map(({ title }) => title) : []
  return (
    <li className={css.change}>
      <Checkbox
        checked={taken}
        onChange={toggle}
        label={[found?.label ?? 'Display', ...new Set(rows)].join(': ')}
        classNames={{ label: css.name ?? '' }}
      />
      {own && (
        <StatusChip meaning="attention" icon={IconPencil}>
          You also changed this text: accepting the change will replace your text
        </StatusChip>
      )}
      {found && <FieldChange difference={found} />}
    </li>
  )
}
