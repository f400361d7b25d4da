import { ActionIcon, Button, Text } from '@mantine/core'
import { IconLock, IconMail, IconPhone, IconUserPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Suspense, use, useState } from 'react'
import { dialAddress, useDialSetting } from '#web/ui/dial-setting.ts'
import { lazily } from '#web/ui/lazily.tsx'
import { spokenNumber } from '#web/ui/phone.ts'
import { BarredContext } from '#web/ui/phone-link.tsx'
import { StatusChip } from '#web/ui/status-chip.tsx'
import { useEver } from '#web/ui/use-ever.ts'
import { WhenWanted } from '#web/ui/when-wanted.tsx'
import { NOT_TO_BE_RUNG } from '../contacts/contact.ts'
import { type Lead, leadName } from '../contacts/data.web.ts'
import { mailTo } from '../contacts/mail-to.ts'
import { type Person, peopleOptions } from './data.web.ts'
import css from './people.module.css'
import { personName } from './person.ts'
import { PersonButton } from './person-button.web.tsx'

const menu = () => import('./person-menu.web.tsx')
const PersonMenu = lazily(menu)
const dialog = () => import('./person-dialog.web.tsx')
const PersonDialog = lazily(dialog)

interface Props {
  readonly lead: Pick<Lead, '@id' | 'id' | 'companyName' | 'name' | 'phone' | 'doNotCall' | 'others'>
  readonly onDial?: () => void
}

/** Number of people shown at first. */
const FEW = 3

/** Other people of a lead's company, with buttons to call or write. Their space is reserved while loading. */
export default function People({ lead, onDial }: Props) {
  const barred = use(BarredContext)
  const people = useQuery({ ...peopleOptions(lead.id), enabled: lead.others > 0 }).data ?? []
  const [all, setAll] = useState(false)
  const [adding, setAdding] = useState(false)
  const wasAdding = useEver(adding)
  const shown = lead.others === 0 ? [] : people.slice(0, all ? undefined : FEW)
  const rows = Math.min(lead.others, FEW) + (lead.others > FEW ? 1 : 0)
  const why = lead.doNotCall ? NOT_TO_BE_RUNG : barred
  return (
    <section aria-label="Other people" className={css.people}>
      <ul className={css.rows} style={{ minHeight: `calc(${rows} * var(--person))` }}>
        {shown.map((p) => (
          <Row key={p.id} person={p} lead={lead} why={why} onDial={onDial} />
        ))}
        {lead.others > FEW && people.length > 0 && (
          <li>
            <Button variant="subtle" size="xs" className={css.more ?? ''} onClick={() => setAll(!all)}>
              {all ? 'Fewer' : `and ${lead.others - FEW} more`}
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

interface RowProps extends Pick<Props, 'lead' | 'onDial'> {
  readonly person: Person
  readonly why: string | undefined
}

function Row({ person: p, lead, why, onDial }: RowProps) {
  const [editing, setEditing] = useState(false)
  const wasEditing = useEver(editing)
  const number = [p.telephone, p.mobile].find((n) => n?.trim())
  const by = useDialSetting()
  const to = number && dialAddress(number, by)
  const email = mailTo(p.email)
  const about = [p.jobTitle, number].filter(Boolean).join(' · ')
  return (
    <li className={css.row} data-left={p.left || undefined} data-person={p.id}>
      <div className={css.who}>
        <Text size="sm" fw={650} truncate title={[p.name, p.notes].filter(Boolean).join('\n')}>
          {personName(p)} {p.left && <StatusChip>Has left</StatusChip>}
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
          aria-label={`Write to ${personName(p)}`}
        >
          <IconMail size={18} aria-hidden />
        </ActionIcon>
      )}
      {to &&
        (why ? (
          <ActionIcon size="lg" variant="subtle" disabled title={why} aria-label={`${personName(p)}: ${why}`}>
            <IconLock size={18} aria-hidden />
          </ActionIcon>
        ) : (
          <ActionIcon
            component="a"
            href={to}
            size="lg"
            variant="default"
            title={`Call ${number}`}
            aria-label={`Call ${personName(p)} on ${spokenNumber(number)}`}
            onClick={onDial}
          >
            <IconPhone size={18} aria-hidden />
          </ActionIcon>
        ))}
      <WhenWanted load={menu} closed={(wanted) => <PersonButton who={personName(p)} {...wanted} />}>
        <PersonMenu person={p} lead={lead.id} was={lead.name ?? leadName(lead)} edit={() => setEditing(true)} />
      </WhenWanted>
      {wasEditing && (
        <Suspense>
          <PersonDialog lead={lead} person={p} opened={editing} onClose={() => setEditing(false)} />
        </Suspense>
      )}
    </li>
  )
}
