import { Button } from '@mantine/core'
import { IconSpeakerphone } from '@tabler/icons-react'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { can } from '#kernel/can.ts'
import type { Values } from '#kernel/forms/visible.ts'
import { hasRole } from '#kernel/roles.ts'
import { DOCUMENT_AUTHOR_ROLES } from '#modules/documents/rights.ts'
import { useActor } from '#web/api/me.ts'
import { londonTime, londonToday } from '#web/dates/uk-dates.ts'
import { ResourceForm } from '#web/forms/resource-form.tsx'
import { placeholderForRequest } from '#web/offline/requests.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { useTalkForPresenting } from './presented-data.web.ts'
import { PRESENTED_TALKS_PATH } from './talk-info.ts'
import { presentedTalk } from './toolbox-talk.ts'

export default function PresentTalkButton({ record }: { readonly record: Values }) {
  const actor = useActor()
  const [opened, setOpened] = useState(false)
  useTalkForPresenting(String(record['@id']))
  const isReplaced = record.state === 'replaced' && record.retired !== true
  if (!(record.current === true || isReplaced) || !can(actor, 'create', presentedTalk)) return null
  const action = isReplaced ? 'Record an earlier talk' : 'Present'
  return (
    <>
      {/* The button is less prominent for users who opened the page to sign. */}
      <Button
        variant={hasRole(actor, DOCUMENT_AUTHOR_ROLES) && !isReplaced ? 'filled' : 'default'}
        leftSection={<IconSpeakerphone size={18} aria-hidden />}
        onClick={() => setOpened(true)}
      >
        {action}
      </Button>
      <Dialog
        opened={opened}
        onClose={() => setOpened(false)}
        title={`${action}: “${String(record.title)}”`}
        size="36rem"
      >
        <PresentTalkForm
          talk={String(record['@id'])}
          title={String(record.title)}
          begins={isReplaced ? { date: '', startTime: '' } : {}}
          onCancel={() => setOpened(false)}
        />
      </Dialog>
    </>
  )
}

/** Returns the path of the page of a record whose request is queued. */
const queuedTalkPath = (key: string) => `${PRESENTED_TALKS_PATH}/${placeholderForRequest(key)}`

interface Props {
  /** IRI of the revision: the one in force, or a former one for a talk that was held under it. */
  readonly talk: string
  readonly title: string
  /** Initial form values, if known. */
  readonly begins: Partial<Readonly<Record<'presenter' | 'place' | 'date' | 'startTime', string>>>
  readonly onCancel: () => void
}

/**
 * Form to start a record: presenter, place and time. After submission, the record opens for signing, even while offline.
 */
export function PresentTalkForm({ talk, title, begins, onCancel }: Props) {
  const actor = useActor()
  const navigate = useNavigate()
  return (
    <ResourceForm
      resource={presentedTalk}
      fields={['presenter', 'place', 'date', 'startTime']}
      defaults={{ presenter: actor.name, date: londonToday(), startTime: londonTime(), ...begins }}
      extra={{ talk }}
      action="Start"
      done={(begun) => `Record of “${begun.title}” started`}
      onCancel={onCancel}
      queuedAs={(key) => ({ what: 'Talk started', of: title, at: queuedTalkPath(key) })}
      onKept={(key) => void navigate(queuedTalkPath(key))}
      onSaved={(made) => void navigate(`${PRESENTED_TALKS_PATH}/${made.id}`)}
    />
  )
}
