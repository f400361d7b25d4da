import '@mantine/core/styles/Menu.layer.css'
import { Menu } from '@mantine/core'
import { IconArchive, IconDoorExit, IconPencil, IconUserCheck } from '@tabler/icons-react'
import { useState } from 'react'
import { callApi } from '#web/api/client.ts'
import { createRandomKey } from '#web/api/idempotency.ts'
import { changeRecordIfUnchanged, selectValuesToCompare } from '#web/forms/store/change-if-unchanged.ts'
import { useOpenedMenu } from '#web/ui/overlays/use-opened-menu.ts'
import { type PersonRecord, usePersonAction } from './data.web.ts'
import { contactPerson, formatPersonName } from './person.ts'
import { PersonMenuButton } from './person-button.web.tsx'

interface Props {
  readonly person: PersonRecord
  readonly lead: number
  /** Name of the current contact person. */
  readonly was: string
  readonly edit: () => void
}

/** Menu for a person, open on first render. */
export default function PersonMenu({ person, lead, was, edit }: Props) {
  const { menu, button } = useOpenedMenu()
  const run = usePersonAction(lead)
  // Another person may move to this position in the list while the menu is open. Actions still apply to the person for
  // whom the menu was opened.
  const [p, setShown] = useState(person)
  if (!menu.opened && p !== person) setShown(person)
  const who = formatPersonName(p)
  const set = (of: PersonRecord, values: Partial<PersonRecord>) => () =>
    changeRecordIfUnchanged<PersonRecord>(
      p['@id'],
      values,
      selectValuesToCompare(contactPerson.fields, of, Object.keys(values)),
    )
  const ask = (whom: string) => {
    const idempotencyKey = createRandomKey()
    return () => callApi<PersonRecord>('POST', `${p['@id']}/ask-for`, { who: whom }, { idempotencyKey })
  }
  return (
    <Menu {...menu} withinPortal position="bottom-end">
      <Menu.Target>
        <PersonMenuButton ref={button} who={who} />
      </Menu.Target>
      <Menu.Dropdown>
        {!p.left && (
          <Menu.Item
            leftSection={<IconUserCheck size={16} aria-hidden />}
            onClick={() =>
              void run(`${who} is now the contact person, instead of ${was}`, ask(who), (former) =>
                former.retired ? undefined : ask(formatPersonName(former)),
              )
            }
          >
            Make {who} the contact person
          </Menu.Item>
        )}
        <Menu.Item leftSection={<IconPencil size={16} aria-hidden />} onClick={edit}>
          Edit
        </Menu.Item>
        <Menu.Item
          leftSection={<IconDoorExit size={16} aria-hidden />}
          onClick={() =>
            void run(
              p.left ? `${who} is marked as still with the company` : `${who} is marked as having left the company`,
              set(p, { left: !p.left }),
              (now) => set(now, { left: p.left }),
            )
          }
        >
          {p.left ? 'Still with the company' : 'Has left the company'}
        </Menu.Item>
        <Menu.Item
          leftSection={<IconArchive size={16} aria-hidden />}
          onClick={() => void run(`${who} retired`, set(p, { retired: true }), (now) => set(now, { retired: false }))}
        >
          Retire
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
