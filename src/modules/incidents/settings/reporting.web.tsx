import '@mantine/core/styles/Checkbox.layer.css'
import '@mantine/core/styles/Combobox.layer.css'
import '@mantine/core/styles/Pill.layer.css'
import '@mantine/core/styles/PillsInput.layer.css'
import { Button, Checkbox, MultiSelect, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { RecordOf } from '#kernel/resource.ts'
import { type PotentialSignatory, usePotentialSignatories } from '#modules/documents/signoff/people.web.ts'
import { useActor } from '#web/api/me.ts'
import { useApiRecord, useSaveRecord } from '#web/api/resources.ts'
import page from '#web/ui/page.module.css'
import { Page } from '#web/ui/page.tsx'
import { ErrorState, LoadingRows } from '#web/ui/states.tsx'
import { toast } from '#web/ui/toast.ts'
import { useUnsavedChangesGuard } from '#web/ui/unsaved.tsx'
import { INCIDENT_BOOK_ROLES } from '../rights.ts'
import {
  incidentSettings,
  NOTIFIED_LEVELS,
  RECIPIENT_ROLES,
  type Recipients,
  type RecipientsByLevel,
} from './incident-settings.ts'
import { REQUIRABLE_ANSWERS } from './required-answers.ts'

/** Settings for reports of incidents: recipients by severity, and questions that a reporter must answer. */
export default function ReportingSettings() {
  const { clientId } = useActor()
  const settings = useApiRecord(incidentSettings, clientId)
  const people = usePotentialSignatories()
  return (
    <Page title="Reporting">
      {settings.isError && <ErrorState error={settings.error} onRetry={() => void settings.refetch()} />}
      {people.isError && <ErrorState error={people.error} onRetry={() => void people.refetch()} />}
      {settings.data && people.data ? (
        <SettingsForm stored={settings.data} people={people.data['hydra:member']} />
      ) : (
        !settings.isError && !people.isError && <LoadingRows rows={8} />
      )}
    </Page>
  )
}

interface Props {
  readonly stored: RecordOf<typeof incidentSettings>
  readonly people: readonly PotentialSignatory[]
}

function SettingsForm({ stored, people }: Props) {
  const save = useSaveRecord(incidentSettings)
  const [required, setRequired] = useState<readonly string[]>(stored.requiredAnswers ?? [])
  const [recipients, setRecipients] = useState<RecipientsByLevel>(stored.recipients ?? {})
  const [changed, setChanged] = useState(false)
  const guard = useUnsavedChangesGuard(changed && !save.isPending)
  const readers = people.filter(({ roles }) => INCIDENT_BOOK_ROLES.some((role) => roles.includes(role)))
  const chosenUsers = Object.values(stored.recipients ?? {}).flatMap(({ users }) => users)
  const gone = [...new Set(chosenUsers)].filter((id) => !readers.some((reader) => reader.id === id))
  const offered = [
    {
      group: 'Roles',
      items: Object.entries(RECIPIENT_ROLES).map(([role, label]) => ({ value: ROLE + role, label })),
    },
    {
      group: 'People',
      items: [
        ...readers.map(({ id, name }) => ({ value: USER + id, label: name })),
        ...gone.map((id) => ({ value: USER + id, label: 'A person who can no longer be notified' })),
      ],
    },
  ]
  return (
    <form
      noValidate
      onSubmit={(e) => {
        e.preventDefault()
        save.mutate(
          { id: stored.id, values: { requiredAnswers: [...required], recipients } },
          {
            onSuccess: () => {
              setChanged(false)
              toast.saved('settings')
            },
            onError: (error) => toast.failed(error),
          },
        )
      }}
    >
      {guard}
      <Stack gap="lg">
        <section className={page.card} aria-labelledby="recipients">
          <h2 id="recipients">Recipients of new reports</h2>
          <Text>
            Company and safety administrators are notified unless you choose others. Administrators are also notified if
            none of your recipients can open the accident book any more.
          </Text>
          <Stack gap="sm">
            {NOTIFIED_LEVELS.map(({ value: level, label }) => (
              <MultiSelect
                key={level}
                label={label}
                placeholder={recipients[level] ? undefined : 'Company and safety administrators'}
                data={offered}
                value={choicesOfRecipients(recipients[level])}
                searchable
                nothingFoundMessage="No results"
                onChange={(chosen) => {
                  setRecipients((now) => ({
                    ...now,
                    [level]: chosen.length ? recipientsOfChoices(chosen) : undefined,
                  }))
                  setChanged(true)
                }}
              />
            ))}
          </Stack>
        </section>
        <section className={page.card} aria-labelledby="required">
          <h2 id="required">Questions that a reporter must answer</h2>
          <Text>
            What happened, when, and how bad it was are always required, and a place from people with an account. A
            report that was written on a form without these questions is received, and states which answers are missing.
          </Text>
          <Stack gap="sm">
            {REQUIRABLE_ANSWERS.map(({ value, label }) => (
              <Checkbox
                key={value}
                label={label}
                checked={required.includes(value)}
                onChange={(e) => {
                  const isOn = e.currentTarget.checked
                  setRequired((now) => (isOn ? [...now, value] : now.filter((one) => one !== value)))
                  setChanged(true)
                }}
              />
            ))}
          </Stack>
        </section>
        <div>
          <Button type="submit" loading={save.isPending} disabled={!changed}>
            Save
          </Button>
        </div>
      </Stack>
    </form>
  )
}

const ROLE = 'role:'
const USER = 'user:'

/** Returns recipients as options of a list, such as `role:ROLE_SAFETY_AUTHOR` and `user:12`. */
const choicesOfRecipients = ({ roles, users }: Recipients = { roles: [], users: [] }): string[] => [
  ...roles.map((role) => ROLE + role),
  ...users.map((id) => USER + id),
]

/** Returns the recipients that list options represent. */
const recipientsOfChoices = (choices: readonly string[]): Recipients => ({
  roles: choices.flatMap((choice) => (choice.startsWith(ROLE) ? choice.slice(ROLE.length) : [])),
  users: choices.flatMap((choice) => (choice.startsWith(USER) ? Number(choice.slice(USER.length)) : [])),
})
