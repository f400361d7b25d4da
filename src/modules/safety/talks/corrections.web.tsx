import { Button } from '@mantine/core'
import { IconPencil } from '@tabler/icons-react'
import { useState } from 'react'
import { can } from '#kernel/can.ts'
import { iriOf } from '#kernel/resource.ts'
import { useActor } from '#web/api/me.ts'
import { useList } from '#web/api/resources.ts'
import { formatMoment } from '#web/dates/uk-dates.ts'
import { ResourceForm } from '#web/forms/resource-form.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import page from '#web/ui/page.module.css'
import { PersonName } from '#web/ui/people/person-name.tsx'
import { correctionText } from '../attendance/corrected.ts'
import { type PresentedTalkRecord, useRefetchTalkRecord } from './presented-data.web.ts'
import css from './talks.module.css'
import { presentedTalk, talkCorrection } from './toolbox-talk.ts'

interface Props {
  readonly record: PresentedTalkRecord
  /** People have signed and the record is still open. */
  readonly mayCorrect: boolean
}

/** Corrections made after people had signed, with a button to add one. */
export function AttendanceCorrections({ record, mayCorrect }: Props) {
  const actor = useActor()
  const [opened, setOpened] = useState(false)
  const refreshed = useRefetchTalkRecord()
  const { presenter, place, date, startTime } = record
  const presented = iriOf(presentedTalk, record.id)
  const made = useList(talkCorrection, { presented, pagination: false }).data?.['hydra:member'] ?? []
  return (
    <>
      {made.length > 0 && (
        <>
          <h2>Corrections after signing</h2>
          <ul className={css.plain}>
            {made.map((one) => (
              <li key={one.id}>
                {correctionText(one)}. “{one.reason}”{' '}
                <span className={page.quiet}>
                  <PersonName username={one.author} />, {formatMoment(one.createdAt)}
                </span>
              </li>
            ))}
          </ul>
        </>
      )}
      {mayCorrect && can(actor, 'create', talkCorrection) && (
        <div>
          <Button
            variant="default"
            className={css.target ?? ''}
            leftSection={<IconPencil size={16} aria-hidden />}
            onClick={() => setOpened(true)}
          >
            Correct record
          </Button>
        </div>
      )}
      <Dialog opened={opened} onClose={() => setOpened(false)} title="Correct record" size="36rem">
        <p className={page.quiet}>
          The signed version is retained beside the correction, with the reason and your name. All signatories are
          notified.
        </p>
        <ResourceForm
          resource={talkCorrection}
          fields={['presenter', 'place', 'date', 'startTime', 'reason']}
          defaults={{ presenter, place, date, startTime }}
          extra={{ presented }}
          action="Correct record"
          done={() => 'Record corrected; the signatories are notified'}
          onCancel={() => setOpened(false)}
          onSaved={() => {
            setOpened(false)
            void refreshed()
          }}
        />
      </Dialog>
    </>
  )
}
