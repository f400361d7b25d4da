import { ActionIcon, Button, Text } from '@mantine/core'
import { IconLock, IconMail, IconPhone, IconUserPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Suspense, use, useState } from 'react'
import { listNumbersOfField } from '#kernel/text/phone.ts'
import { formatDialUri, useDialSetting } from '#web/ui/dial-setting.ts'
import { lazyComponent } from '#web/ui/lazy-component.tsx'
import { LazyTrigger } from '#web/ui/lazy-trigger.tsx'
import { formatSpokenPhoneNumber } from '#web/ui/phone.ts'
import { CallBlockReasonContext } from '#web/ui/phone-link.tsx'
import { StatusChip } from '#web/ui/status-chip.tsx'
import { useWasEverTrue } from '#web/ui/use-was-ever-true.ts'
import { DO_NOT_CALL_REASON } from '../contacts/contact.ts'
import { formatLeadName, type LeadRecord, useLockedNumbers } from '../contacts/data.web.ts'
import { usableEmail } from '../contacts/usable-email.ts'
import { leadPeopleQueryOptions, type PersonRecord } from './data.web.ts'
import css from './people.module.css'
import { formatPersonName } from './person.ts'
import { PersonMenuButton } from './person-button.web.tsx'

const menu = () => import('./person-menu.web.tsx')
const PersonMenu = lazyComponent(menu)
const dialog = () => import('./person-dialog.web.tsx')
const PersonDialog = lazyComponent(dialog)

interface Props {
  readonly lead: Pick<LeadRecord, '@id' | 'id' | 'companyName' | 'name' | 'phone' | 'doNotCall' | 'others'>
  readonly onDial?: () => void
}

/** Number of people shown before the list is expanded. */
const COLLAPSED_PEOPLE = 3

/** Other people at a lead's company, with buttons to call or e-mail them. Space is reserved while the list loads. */
export default function OtherLeadContacts({ lead, onDial }: Props) {
  const barred = use(CallBlockReasonContext)
  const people = useQuery({ ...leadPeopleQueryOptions(lead.id), enabled: lead.others > 0 }).data ?? []
  const [all, setAll] = useState(false)
  const [adding, setAdding] = useState(false)
  const wasAdding = useWasEverTrue(adding)
  const shown = lead.others === 0 ? [] : people.slice(0, all ? undefined : COLLAPSED_PEOPLE)
  const rows = Math.min(lead.others, COLLAPSED_PEOPLE) + (lead.others > COLLAPSED_PEOPLE ? 1 : 0)
  const locked = useLockedNumbers(lead.id, shown.length > 0)
  const why = lead.doNotCall ? DO_NOT_CALL_REASON : barred
  return (
    <section aria-label="Other people" className={css.people}>
      <ul className={css.rows} style={{ minHeight: `calc(${rows} * var(--person))` }}>
        {shown.map((p) => (
          <Row key={p.id} person={p} lead={lead} why={why ?? locked.get(numberOf(p) ?? '')} onDial={onDial} />
        ))}
        {lead.others > COLLAPSED_PEOPLE && people.length > 0 && (
          <li>
            <Button variant="subtle" size="xs" className={css.more ?? ''} onClick={() => setAll(!all)}>
              {all ? 'Fewer' : `and ${lead.others - COLLAPSED_PEOPLE} more`}
            </Button>
          </li>
        )}
      </ul>
      <Button
        variant="subtle"
        color="gray"
        size="xs"
        className={css.add ?? ''}
        leftSection={<IconUserPlus size={16} aria-hidden />}
        onPointerEnter={() => void dialog().catch(() => undefined)}
        onClick={() => setAdding(true)}
      >
        Add a person
      </Button>
      {wasAdding && (
        <Suspense>
          <PersonDialog lead={lead} opened={adding} onClose={() => setAdding(false)} />
        </Suspense>
      )}
    </section>
  )
}

/** Returns the number by which a person is called first. */
const numberOf = ({ telephone, mobile }: PersonRecord): string | undefined =>
  [telephone, mobile].flatMap(listNumbersOfField)[0]

interface RowProps extends Pick<Props, 'lead' | 'onDial'> {
  readonly person: PersonRecord
  readonly why: string | undefined
}

function Row({ person: p, lead, why, onDial }: RowProps) {
  const [editing, setEditing] = useState(false)
  const wasEditing = useWasEverTrue(editing)
  const number = numberOf(p)
  const by = useDialSetting()
  const to = number && formatDialUri(number, by)
  const email = usableEmail(p.email)
  const about = [p.jobTitle, number].filter(Boolean).join(' · ')
  return (
    <li className={css.row} data-left={p.left || undefined} data-person={p.id}>
      <div className={css.who}>
        <Text size="sm" fw={650} truncate title={[p.name, p.notes].filter(Boolean).join('\n')}>
          {formatPersonName(p)} {p.left && <StatusChip>Has left</StatusChip>}
        </Text>
        <Text size="xs" c="dimmed" truncate title={[about, p.mobile, p.email].filter(Boolean).join('\n')}>
          {about || p.email || '—'}
        </Text>
      </div>
      {email && (
        <ActionIcon
          component="a"
          href={`mailto:${email}`}
          size="lg"
          variant="subtle"
          color="gray"
          title={`Write to ${email}`}
          aria-label={`Write to ${formatPersonName(p)}`}
        >
          <IconMail size={18} aria-hidden />
        </ActionIcon>
      )}
      {to &&
        (why ? (
          <ActionIcon size="lg" variant="subtle" disabled title={why} aria-label={`${formatPersonName(p)}: ${why}`}>
            <IconLock size={18} aria-hidden />
          </ActionIcon>
        ) : (
          <ActionIcon
            component="a"
            href={to}
            size="lg"
            variant="default"
            title={`Call ${number}`}
            aria-label={`Call ${formatPersonName(p)} on ${formatSpokenPhoneNumber(number)}`}
            onClick={onDial}
          >
            <IconPhone size={18} aria-hidden />
          </ActionIcon>
        ))}
      <LazyTrigger load={menu} closed={(wanted) => <PersonMenuButton who={formatPersonName(p)} {...wanted} />}>
        <PersonMenu person={p} lead={lead.id} was={lead.name ?? formatLeadName(lead)} edit={() => setEditing(true)} />
      </LazyTrigger>
      {wasEditing && (
        <Suspense>
          <PersonDialog lead={lead} person={p} opened={editing} onClose={() => setEditing(false)} />
        </Suspense>
      )}
    </li>
  )
}
