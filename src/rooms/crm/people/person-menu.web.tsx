import '@mantine/core/styles/Menu.layer.css'
import { Menu } from '@mantine/core'
import { IconArchive, IconDoorExit, IconPencil, IconUserCheck } from '@tabler/icons-react'
import { call } from '#web/api/client.ts'
import { useOpenedMenu } from '#web/ui/opened/use-opened-menu.ts'
import { type Person, personName, useWithPerson } from './data.web.ts'
import { PersonButton } from './person-button.web.tsx'

interface Props {
  readonly person: Person
  readonly lead: number
  /** Who is asked for now. */
  readonly was: string
  readonly edit: () => void
}

/** What can be done with somebody; open from the beginning. */
export default function PersonMenu({ person: p, lead, was, edit }: Props) {
  const { menu, button } = useOpenedMenu()
  const run = useWithPerson(lead)
  const who = personName(p)
  const set = (values: Partial<Person>) => () => call('PUT', p['@id'], values)
  const ask = () => call('POST', `${p['@id']}/ask-for`)
  return (
    <Menu {...menu} withinPortal position="bottom-end">
      <Menu.Target>
        <PersonButton ref={button} who={who} />
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          leftSection={<IconUserCheck size={16} aria-hidden />}
          onClick={() => void run(`${who} is asked for in place of ${was}`, ask, ask)}
        >
          Ask for {who}
        </Menu.Item>
        <Menu.Item leftSection={<IconPencil size={16} aria-hidden />} onClick={edit}>
          Edit
        </Menu.Item>
        <Menu.Item
          leftSection={<IconDoorExit size={16} aria-hidden />}
          onClick={() =>
            void run(
              p.left ? `${who} is with the company` : `${who} has left the company`,
              set({ left: !p.left }),
              set({ left: p.left }),
            )
          }
        >
          {p.left ? 'Is with the company after all' : 'Has left the company'}
        </Menu.Item>
        <Menu.Item
          leftSection={<IconArchive size={16} aria-hidden />}
          onClick={() => void run(`${who} is retired`, set({ retired: true }), set({ retired: false }))}
        >
          Retire
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
