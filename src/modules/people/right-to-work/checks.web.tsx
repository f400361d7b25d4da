import { Button, Group, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { can } from '#kernel/can.ts'
import { labelOf } from '#kernel/fields.ts'
import type { RecordOf } from '#kernel/resource.ts'
import { useActor } from '#web/api/me.ts'
import { useApiRecord, useList } from '#web/api/resources.ts'
import { DateTimeText } from '#web/dates/relative.tsx'
import { FieldValue } from '#web/forms/field-value.tsx'
import { LoadingRows, SectionError } from '#web/ui/states.tsx'
import { StatusChip } from '#web/ui/status-chip.tsx'
import { FileDrop } from '#web/uploads/file-drop.tsx'
import { UploadsProgress } from '#web/uploads/progress.tsx'
import { useFileUploads } from '#web/uploads/queue.ts'
import type { StoredFile } from '#web/uploads/send.ts'
import { UploadedFileLink } from '#web/uploads/thumb.tsx'
import css from '../people.module.css'
import { rightToWorkCheck, rightToWorkCopy } from './right-to-work.ts'
import { NoDefenceChip } from './status.web.tsx'

export type Check = RecordOf<typeof rightToWorkCheck>

interface Props {
  readonly checks: readonly Check[]
  /** Check whose details are shown, such as one that has just been recorded. */
  readonly opened: number | undefined
  readonly onCorrect: (check: Check) => void
}

/** Checks of an employee, the latest first. Details are loaded, and the read is logged, only when they are opened. */
export function Checks({ checks, opened, onCorrect }: Props) {
  const current = checks.find(({ corrected }) => !corrected)?.id
  return (
    <ol className={css.history}>
      {checks.map((check) => (
        <li key={check.id}>
          <CheckEntry
            key={`${check.id} ${opened === check.id}`}
            check={check}
            isCurrent={check.id === current}
            isOpened={check.id === opened}
            onCorrect={onCorrect}
          />
        </li>
      ))}
    </ol>
  )
}

interface EntryProps extends Pick<Props, 'onCorrect'> {
  readonly check: Check
  readonly isCurrent: boolean
  readonly isOpened: boolean
}

function CheckEntry({ check, isCurrent, isOpened, onCorrect }: EntryProps) {
  const actor = useActor()
  const [isShown, setShown] = useState(isOpened)
  return (
    <div className={css.check}>
      <Group gap="xs">
        <strong>
          Checked on <FieldValue field={rightToWorkCheck.fields.checkedOn} value={check.checkedOn} />
        </strong>
        <StatusChip meaning={isCurrent ? 'safe' : 'plain'}>
          {isCurrent ? 'Current' : check.corrected ? 'Corrected' : 'Superseded'}
        </StatusChip>
        <NoDefenceChip noDefenceBefore={check.noDefenceBefore} />
      </Group>
      <Text size="sm" c="dimmed">
        {`Checked by ${check.checkedBy.name}. Recorded by `}
        <FieldValue field={rightToWorkCheck.fields.author} value={check.author} />
        {', '}
        <DateTimeText at={check.createdAt} />
      </Text>
      {isShown ? (
        <CheckDetails id={check.id} onCorrect={onCorrect} />
      ) : (
        can(actor, 'create', rightToWorkCheck) && (
          <Button variant="default" onClick={() => setShown(true)}>
            {`Show details${check.copies ? ` and ${check.copies === 1 ? 'the copy' : `${check.copies} copies`}` : ''}`}
          </Button>
        )
      )}
    </div>
  )
}

const SHOWN = [
  'method',
  'document',
  'expiresOn',
  'noticeOn',
  'nextCheckBy',
  'shareCode',
  'shareCodeDeletedOn',
  'notes',
  'correction',
] as const

const Fact = ({ label, children }: { readonly label: string; readonly children: ReactNode }) => (
  <>
    <dt>{label}</dt>
    <dd>{children}</dd>
  </>
)

function CheckDetails({ id, onCorrect }: { readonly id: number; readonly onCorrect: (check: Check) => void }) {
  const actor = useActor()
  const found = useApiRecord(rightToWorkCheck, id)
  if (found.error) return <SectionError error={found.error} onRetry={found.refetch} />
  const check = found.data
  if (!check) return <LoadingRows rows={3} />
  const { document } = check
  const mayRecord = can(actor, 'create', rightToWorkCheck)
  return (
    <>
      <dl className={css.facts}>
        {SHOWN.filter((name) => check[name]).map((name) => (
          <Fact key={name} label={labelOf(name, rightToWorkCheck.fields[name])}>
            {name === 'document' ? (
              `${document.name} (list ${document.list}${document.documentGroup ? `, group ${document.documentGroup}` : ''})`
            ) : (
              <FieldValue field={rightToWorkCheck.fields[name]} value={check[name]} />
            )}
          </Fact>
        ))}
      </dl>
      <Copies check={check} />
      {mayRecord && !check.corrected && (
        <Group>
          <Button variant="default" onClick={() => onCorrect(check)}>
            Correct this check
          </Button>
        </Group>
      )}
    </>
  )
}

/** Copies of the document. Each opening, and each thumbnail, is logged. */
function Copies({ check }: { readonly check: Check }) {
  const actor = useActor()
  const queries = useQueryClient()
  const list = useList(rightToWorkCopy, { check: check['@id'], itemsPerPage: 100 })
  const { uploads, add, retry, remove } = useFileUploads<StoredFile>({
    to: `${check['@id']}/files`,
    onDone: () => {
      for (const { url } of [rightToWorkCopy, rightToWorkCheck])
        void queries.invalidateQueries({ queryKey: [url, 'list'] })
    },
  })
  return (
    <>
      {list.error && <SectionError error={list.error} onRetry={list.refetch} />}
      {list.data && (
        <ul className={css.history} aria-label="Copies">
          {list.data['hydra:member'].map((file) => (
            <li key={file.id}>
              <UploadedFileLink file={file as unknown as StoredFile} />
            </li>
          ))}
        </ul>
      )}
      {can(actor, 'create', rightToWorkCheck) && (
        <>
          <FileDrop label="Add a copy of the document" onFiles={add} />
          <UploadsProgress uploads={uploads} onRetry={retry} onRemove={remove} />
        </>
      )}
    </>
  )
}
